import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@event-api/local-servers/ports';
import {
  type PrivateProxy,
  type ProxyName,
  startPrivateProxy,
} from '@event-api/platform/testing/private-proxy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CellList, faultsOf, readCells } from '../cells/cells.ts';
import { haproxyConfig } from '../cells/haproxy.ts';
import { nginxConfig } from '../cells/nginx.ts';
import { authorizationPattern } from '../cells/route.rules.ts';
import { routingFiles } from '../cells/write.ts';
import { renderFolder } from '../kubernetes/render.ts';
import { root } from './image-tree.ts';
import { parseManifests } from './manifests.ts';

const secret = '0123456789ABCDEFGHIJKLMNOPQRSTuv';

describe('the list of cells', () => {
  test.each(Object.entries(routingFiles()))('is what %s routes to', (path, written) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(written);
  });

  const list: CellList = { resolver: '10.0.0.1', default: 'a:1', cells: { eu2: 'b.c:2' } };
  test.each([
    [list, []],
    [{ ...list, resolver: 'names' }, ['resolver must be an IPv4 address']],
    [{ ...list, default: 'a' }, ['the address of default must be a host and a port']],
    [
      { ...list, cells: { EU2: "b:2'" } },
      [
        'EU2 must be 2 to 12 small letters or digits, a letter first',
        'the address of EU2 must be a host and a port',
      ],
    ],
  ])('%j has the faults %j', (each, faults) => {
    expect(faultsOf(each)).toEqual(faults);
  });
});

/** `Authorization` headers, and the cell of the first proxy that takes one. */
const credentials: [header: string, cell: string][] = [
  [`Bearer sk_live_eu2_${secret}`, 'eu2'],
  [`bearer rk_live_eu2_${secret}`, 'eu2'],
  [`BEARER   dk_live_eu2_${secret}`, 'eu2'],
  [`Bearer pc_live_us1_${secret}`, 'us1'],
  // A kind that a later release may have.
  [`Bearer ct_live_eu2_${secret}`, 'eu2'],
  // The cell says what is wrong with the rest.
  ['Bearer sk_live_eu2_short', 'eu2'],
  ['Bearer EU2-K7QM-3XTB', 'eu2'],
  ['Bearer eu2k7qm3xtb', 'eu2'],
  ['Bearer Us1-k7qm3xtb', 'us1'],
  [`Bearer sk_live_${secret}`, 'default'],
  [`Bearer sk_live_xx_${secret}`, 'default'],
  [`Bearer sk_live_eu_${secret}`, 'default'],
  [`Bearer sk_live_eu22_${secret}`, 'default'],
  [`Bearer sk_live_EU2_${secret}`, 'default'],
  [`Bearer sk_live_us1_eu2_${secret}`, 'default'],
  [`Bearer xsk_live_eu2_${secret}`, 'default'],
  [`Bearer x sk_live_eu2_${secret}`, 'default'],
  [`Bearer sk_live_eu2_${secret} x`, 'default'],
  [`Bearer sk_live_eu2_${secret}, Bearer sk_live_us1_${secret}`, 'default'],
  [`Bearer\tsk_live_eu2_${secret}`, 'default'],
  [`Bearersk_live_eu2_${secret}`, 'default'],
  [`Basic sk_live_eu2_${secret}`, 'default'],
  [`sk_live_eu2_${secret}`, 'default'],
  ['Bearer EU2-K7QM-3XT', 'default'],
  ['Bearer EU2-K7QM-3XTBB', 'default'],
  ['Bearer K7QM-3XTB', 'default'],
  ['Bearer', 'default'],
  ['', 'default'],
];

test.each(credentials)('the patterns of cells send %j to %s', (header, cell) => {
  const found = ['eu2', 'us1'].filter((each) =>
    new RegExp(authorizationPattern(each)).test(header),
  );
  expect(found).toEqual(cell === 'default' ? [] : [cell]);
});

test('patterns use no more than what RE2 and PCRE read in the same way', () => {
  expect(authorizationPattern('eu2')).toMatch(/^[\w^$ +*?:|(){}[\]-]+$/);
  expect(authorizationPattern('eu2')).not.toMatch(/\(\?[^:]|\\/);
});

interface Seen {
  cell: string;
  request: string;
  body: string;
  forwardedFor: string | undefined;
}

/** Gateways that record what arrives, and one that nobody has started. */
async function startCells() {
  const seen: Seen[] = [];
  const servers = await Promise.all(
    ['default', 'eu2', 'us1'].map(async (cell) => {
      const server = createServer(async (request, response) => {
        const { method, url, headers } = request;
        if (url === '/lost') return request.socket.destroy();
        const forwardedFor = headers['x-forwarded-for']?.toString();
        seen.push({ cell, request: `${method} ${url}`, body: await text(request), forwardedFor });
        if (url === '/busy') response.writeHead(503, { 'content-type': 'text/plain' });
        response.end(url === '/busy' ? 'busy' : cell);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return [cell, server] as const;
    }),
  );
  const at = Object.fromEntries(
    servers.map(([cell, server]) => [cell, `127.0.0.1:${(server.address() as AddressInfo).port}`]),
  );
  const list: CellList = {
    resolver: '127.0.0.1',
    default: at.default ?? '',
    cells: {
      eu2: at.eu2 ?? '',
      us1: at.us1 ?? '',
      down: `127.0.0.1:${await freePort()}`,
      lostname: 'gateway.invalid:8080',
    },
  };
  return {
    seen,
    list,
    close() {
      for (const [, server] of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** Writes bytes and returns what comes until the proxy closes the connection. */
function exchange(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(60_000, () => reject(new Error(`no end after: ${received}`)));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      socket.setTimeout(0);
      resolve(received);
    });
  });
}

const requestOf = (line: string, headers: readonly string[], body = '') =>
  [`${line} HTTP/1.1`, 'Host: api', 'Connection: close', ...headers, '', body].join('\r\n');
const ofEu2 = `Authorization: Bearer sk_live_eu2_${secret}`;
const ofUs1 = `Authorization: Bearer sk_live_us1_${secret}`;

const writeConfig: Record<ProxyName, (list: CellList, address: string) => string> = {
  haproxy: haproxyConfig,
  nginx: nginxConfig,
};

describe.each(['haproxy', 'nginx'] as const)('%s', (name) => {
  let cells: Awaited<ReturnType<typeof startCells>>;
  let proxy: PrivateProxy;
  beforeAll(async () => {
    cells = await startCells();
    proxy = await startPrivateProxy(name, (address) => writeConfig[name](cells.list, address));
  });
  afterAll(async () => {
    await proxy?.close();
    cells?.close();
  });

  /** Sends a request, and returns the response with what arrived at the cells. */
  async function send(line: string, headers: readonly string[] = [], body = '') {
    const before = cells.seen.length;
    const response = await exchange(proxy.url, requestOf(line, headers, body));
    const [head = '', ...rest] = response.split('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
    return { status, head, body: rest.join('\r\n\r\n'), seen: cells.seen.slice(before) };
  }
  const cellsOf = (seen: readonly Seen[]) => seen.map(({ cell }) => cell);

  const contentOf = (head: string, body: string) =>
    /^transfer-encoding: chunked/im.test(head)
      ? body
          .split('\r\n')
          .filter((_, index) => index % 2 === 1)
          .join('')
      : body;

  test.each(credentials)('sends the credential %j to %s', async (header, cell) => {
    const { status, seen } = await send('GET /v1/events', [`Authorization: ${header}`]);
    expect([status, cellsOf(seen)]).toEqual([200, [cell]]);
    expect(seen[0]?.request).toBe('GET /v1/events');
  });

  test.each([
    ['authorization', 'eu2'],
    ['AUTHORIZATION', 'eu2'],
    ['X-Authorization', 'default'],
    ['Proxy-Authorization', 'default'],
  ])('reads the header %s in any case, and no other one: %s', async (header, cell) => {
    const { seen } = await send('GET /v1/events', [`${header}: Bearer sk_live_eu2_${secret}`]);
    expect(cellsOf(seen)).toEqual([cell]);
  });

  test.each([
    ['/cells/eu2/docs/', 'eu2'],
    ['/cells/us1/payments/notifications/stripe', 'us1'],
    ['/cells/eu2/v1/events?limit=1', 'eu2'],
    ['/docs/', 'default'],
    ['/cells/eu2', 'default'],
    ['/cells/xx/docs/', 'default'],
    ['/cells/eu22/docs/', 'default'],
    ['/x/cells/eu2/docs/', 'default'],
    ['//cells/eu2/docs/', 'default'],
    ['/docs/?to=/cells/eu2/', 'default'],
    ['/cells/%65u2/docs/', 'default'],
    ['/CELLS/eu2/docs/', 'default'],
    // The gateway knows no such path.
    ['/cells/eu2/../../v1/events', 'eu2'],
    ['/docs/../cells/eu2/', 'default'],
  ])('sends the path %s to %s, unchanged', async (path, cell) => {
    const { status, seen } = await send(`POST ${path}`, ['Content-Length: 2'], '{}');
    // nginx resolves dots only to choose a location, and refuses a path above the root.
    if (status === 400 && path.includes('..')) return;
    expect(seen).toMatchObject([{ cell, request: `POST ${path}`, body: '{}' }]);
  });

  test('sends a path to its cell, whatever the credential names', async () => {
    expect(cellsOf((await send('GET /cells/us1/v1/events', [ofEu2])).seen)).toEqual(['us1']);
  });

  test('routes the absolute form as its path', async () => {
    const { seen } = await send('GET http://api/cells/eu2/docs/');
    expect(cellsOf(seen)).toEqual(['eu2']);
    expect(cellsOf((await send('GET http://api/v1/events', [ofUs1])).seen)).toEqual(['us1']);
    expect(cellsOf((await send('GET http://cells/eu2/docs/')).seen)).not.toContain('eu2');
  });

  test.each([
    ['of different cells', [ofEu2, ofUs1]],
    ['of one cell', [ofEu2, ofEu2]],
    ['of which one is empty', ['Authorization:', ofEu2]],
  ])('sends two credentials %s to no named cell', async (_, headers) => {
    const { status, seen } = await send('POST /v1/events', [...headers, 'Content-Length: 0']);
    // nginx refuses a repeated header.
    expect(status === 400 ? [] : cellsOf(seen)).toEqual(status === 400 ? [] : ['default']);
    expect(cellsOf(seen)).not.toContain('eu2');
  });

  // A body that one of two readers takes for the next request would reach a cell without its rules.
  const hidden = requestOf('POST /hidden', [ofUs1]);
  test.each([
    ['both lengths', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`],
    ['two lengths', ['Content-Length: 0', `Content-Length: ${hidden.length}`], hidden],
    ['a length with a sign', [`Content-Length: +${hidden.length}`], hidden],
    ['an unknown encoding', ['Transfer-Encoding: xchunked'], hidden],
    ['an encoding with a space', ['Transfer-Encoding : chunked'], `0\r\n\r\n${hidden}`],
    ['a folded header', ['X-A: b', ' Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`],
    ['more bytes than its length', ['Content-Length: 0'], hidden],
  ])('lets no second request pass inside one with %s', async (_, headers, body) => {
    const { seen } = await send('POST /v1/events', [ofEu2, ...headers], body);
    expect(seen.filter(({ request }) => request.includes('hidden'))).toEqual([]);
    expect(seen.length).toBeLessThanOrEqual(1);
  });

  test('routes each request of a connection by itself', async () => {
    const before = cells.seen.length;
    const keep = (line: string, header: string) =>
      `${line} HTTP/1.1\r\nHost: api\r\n${header}\r\n\r\n`;
    await exchange(
      proxy.url,
      keep('GET /a', ofEu2) + keep('GET /b', ofUs1) + requestOf('GET /c', []),
    );
    expect(cells.seen.slice(before).map(({ cell, request }) => [cell, request])).toEqual([
      ['eu2', 'GET /a'],
      ['us1', 'GET /b'],
      ['default', 'GET /c'],
    ]);
  });

  test('adds the address of the client to those that the client names', async () => {
    const { seen } = await send('GET /', ['X-Forwarded-For: 203.0.113.7']);
    expect(seen[0]?.forwardedFor).toBe('203.0.113.7, 127.0.0.1');
  });

  test.each([
    ['a credential', 'GET /v1/events', [`Authorization: Bearer sk_live_down_${secret}`], 'down'],
    ['a path', 'GET /cells/down/docs/', [], 'down'],
    [
      'a credential of a cell without an address',
      'GET /v1/events',
      [`Authorization: Bearer sk_live_lostname_${secret}`],
      'lostname',
    ],
  ])('says with a 503 which cell is down, to %s', async (_, line, headers, cell) => {
    const { status, head, body, seen } = await send(line, headers);
    expect([status, JSON.parse(body)]).toEqual([
      503,
      {
        error: {
          code: 503,
          status: 'UNAVAILABLE',
          message: `Cell ${cell} is temporarily unavailable, please try again`,
        },
      },
    ]);
    expect(head).toMatch(/^content-type: application\/json; charset=utf-8\r?$/im);
    expect(head).toMatch(/^retry-after: 5\r?$/im);
    expect(head).toMatch(/^cache-control: no-store\r?$/im);
    expect(seen).toEqual([]);
    expect(cellsOf((await send('GET /v1/events', [ofEu2])).seen)).toEqual(['eu2']);
  });

  test('responds with the envelope when a connection is lost, and passes the 503 of a cell', async () => {
    const lost = await send('GET /lost', [ofEu2]);
    // nginx does not know whether the request has reached the cell.
    expect([lost.status, JSON.parse(lost.body).error]).toMatchObject(
      name === 'haproxy'
        ? [504, { code: 504, status: 'DEADLINE_EXCEEDED' }]
        : [503, { code: 503, status: 'UNAVAILABLE' }],
    );
    const busy = await send('GET /busy', [ofEu2]);
    expect([busy.status, contentOf(busy.head, busy.body)]).toEqual([503, 'busy']);
  });

  test.each([
    ['a malformed one', 'GET /%zz bad', []],
    ['headers of 64 KiB', 'GET /v1/events', [`X-Long: ${'a'.repeat(65_536)}`]],
  ])('refuses %s', async (_, line, headers) => {
    const { status, body, seen } = await send(line, headers);
    expect([status, seen]).toEqual([400, []]);
    // HAProxy has a text of its own for what it cannot read.
    if (name === 'haproxy') return;
    expect(JSON.parse(body).error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
  });

  test('passes headers of 16 KiB, which the gateway accepts', async () => {
    const { seen } = await send('GET /v1/events', [ofEu2, `X-Long: ${'a'.repeat(15_500)}`]);
    expect(cellsOf(seen)).toEqual(['eu2']);
  });
});

describe('on Kubernetes', () => {
  /** Renders folders of a copy in which lines of kustomizations have lost their comment. */
  function renderWith(folder: string, edits: Record<string, string>) {
    const copy = mkdtempSync(join(tmpdir(), 'event-api-cells-'));
    cpSync(join(root, 'deploy/kubernetes'), copy, { recursive: true });
    for (const [path, line] of Object.entries(edits)) {
      const file = join(copy, path, 'kustomization.yaml');
      const content = readFileSync(file, 'utf8');
      expect(content).toContain(`# ${line}`);
      writeFileSync(file, content.replace(`# ${line}`, line));
    }
    const rendered = renderFolder(join(copy, folder));
    rmSync(copy, { recursive: true });
    return rendered === undefined ? undefined : parseManifests(rendered);
  }

  test('the route of the default cell leads to the gateways of the list', () => {
    const folder = 'overlays/production/gateway';
    const manifests = renderWith(folder, { [folder]: '- ../../../components/cells' });
    // Neither kubectl nor kustomize is installed.
    if (manifests === undefined) return;
    const [route] = manifests.filter(({ kind }) => kind === 'HTTPRoute');
    const rules = Object.keys(readCells().cells).map((cell) => ({
      matches: [
        { path: { type: 'PathPrefix', value: `/cells/${cell}` } },
        {
          headers: [
            {
              ...{ type: 'RegularExpression', name: 'Authorization' },
              value: authorizationPattern(cell),
            },
          ],
        },
      ],
      backendRefs: [{ name: 'gateway', namespace: `event-api-${cell}`, port: 8080 }],
    }));
    expect(route?.spec).toMatchObject({
      hostnames: ['api.example.com'],
      rules: [...rules, { backendRefs: [{ name: 'gateway', port: 8080 }] }],
    });
  });

  test('a cell names itself in four processes, and lets the route of the default cell in', () => {
    const manifests = renderWith('overlays/production', {
      'overlays/production/site': 'components: [../../../components/cell]',
      'overlays/production/gateway': '- ../../../components/cell/gateway',
    });
    if (manifests === undefined) return;
    const named = manifests
      .filter(({ kind, spec }) => {
        const env = spec?.template?.spec.containers[0]?.env ?? [];
        return kind === 'Deployment' && env.some(({ name }) => name === 'CELL');
      })
      .map(({ metadata }) => metadata.name);
    expect(named.toSorted()).toEqual(['changes', 'commerce', 'console', 'gateway']);
    const kinds = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(kinds).toContain('ReferenceGrant cells');
    expect(kinds).not.toContain('HTTPRoute api');
  });
});
