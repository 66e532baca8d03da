import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Change, verifyWebhook } from '@event-api/client';
import { run } from '@event-api/client/cli';
import { createKey } from '@event-api/contracts/operator/keys';
import { freePort } from '@event-api/local-servers/ports';
import { eventually } from '@event-api/platform/testing/eventually';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { userEnvironment } from './user-environment.ts';

const program = join(import.meta.dirname, '../../clients/typescript/src/cli/main.ts');

let platform: PlatformFixture;
let unit: { unitId: string; secret: string };
beforeAll(async () => {
  platform = await sharedPlatform();
  unit = await platform.newUnit({ rateLimitPerMinute: 1_000_000 });
});

const newHome = () => mkdtempSync(join(inject('runFolder'), 'cli-'));

interface Run {
  argv: string[];
  home?: string;
  env?: Record<string, string>;
  input?: string;
}

const ownEnvironment = () => ({ EVENT_API_URL: platform.baseUrl, EVENT_API_KEY: unit.secret });

/** Starts the program with a home of its own. Without `env` it has the key of the unit. */
function start({ argv, home = newHome(), env = ownEnvironment(), input = '' }: Run) {
  const child = spawn(process.execPath, [program, ...argv], {
    env: { ...userEnvironment(), HOME: home, ...env },
  });
  child.stdin.end(`${input}\n`);
  const printed = { out: '', notes: '' };
  child.stdout.on('data', (part) => {
    printed.out += part;
  });
  child.stderr.on('data', (part) => {
    printed.notes += part;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, printed, ended };
}

/** Runs the program in a process of its own, to its end. */
async function runProgram(options: Run) {
  const { printed, ended } = start(options);
  return { code: await ended, ...printed };
}

/** Runs a command line in this process: the start of a program takes longer than most commands. */
async function runCli({ argv, home = newHome(), env = ownEnvironment(), input = '' }: Run) {
  const [lines, notes]: [string[], string[]] = [[], []];
  const code = await run(argv, {
    env: { HOME: home, ...env },
    print: (line) => lines.push(...line.split('\n')),
    note: (line) => notes.push(line),
    readSecret: async () => input,
    readInput: async () => input,
    readReply: null,
    now: () => new Date(),
    signal: new AbortController().signal,
  });
  return { code, lines, notes: notes.join('\n') };
}

/** Runs a command with `--json`. Returns the records that it prints. */
async function records(argv: string[], options: Omit<Run, 'argv'> = {}) {
  const { code, lines, notes } = await runCli({ ...options, argv: [...argv, '--json'] });
  expect(code, notes).toBe(0);
  return lines.map((line) => JSON.parse(line));
}

const trigger = async (scenario: string) => (await records(['trigger', scenario]))[0];

/** The cursor at the end of the feed. */
async function headCursor(): Promise<string> {
  const headers = { authorization: `Bearer ${unit.secret}` };
  const response = await fetch(`${platform.baseUrl}/v1/changes/head`, { headers });
  return ((await response.json()) as { cursor: string }).cursor;
}

async function stop(child: ChildProcess, ended: Promise<number | null>) {
  child.kill('SIGINT');
  expect(await ended).toBe(0);
}

describe('login', () => {
  test('stores the address and the key for this user only, and later commands use them', async () => {
    const home = newHome();
    const argv = ['login', '--url', platform.baseUrl];
    const login = await runProgram({ argv, home, env: {}, input: unit.secret });
    expect(login.code, login.notes).toBe(0);
    expect(login.out + login.notes).not.toContain(unit.secret);
    const file = join(home, '.config/event-api/config.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const list = await runProgram({ argv: ['list', 'events'], home, env: {} });
    expect(list.code, list.notes).toBe(0);
  });

  test('replaces a file that others may read by one that they may not', async () => {
    const home = newHome();
    const env = { XDG_CONFIG_HOME: home, EVENT_API_KEY: unit.secret };
    const argv = ['login', '--url', platform.baseUrl];
    expect((await runCli({ argv, env })).code).toBe(0);
    const file = join(home, 'event-api/config.json');
    chmodSync(file, 0o644);
    expect((await runCli({ argv, env })).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('rejects a key that the API does not accept, and stores nothing', async () => {
    const home = newHome();
    const argv = ['login', '--url', platform.baseUrl];
    const { code, notes } = await runCli({ argv, home, env: {}, input: 'sk_wrong' });
    expect(code).toBe(1);
    expect(notes).toContain('401 UNAUTHENTICATED');
    expect((await runCli({ argv: ['list', 'events'], home, env: {} })).notes).toContain(
      'there is no API key',
    );
  });
});

test('records are listed and read, as lines and as JSON', async () => {
  const { event, order, registration } = await trigger('order.paid');
  const [[eventRow], [orderRow], [registrationRow], [one]] = await Promise.all([
    records(['get', 'event', event]),
    records(['list', 'orders', event, '--status', 'paid']),
    records(['get', 'registration', event, registration]),
    records(['get', 'order', event, order]),
  ]);
  expect(eventRow).toMatchObject({ id: event, status: 'draft' });
  expect(orderRow).toMatchObject({ id: order, status: 'paid', totalAmount: 1500 });
  expect(registrationRow).toMatchObject({ id: registration, status: 'confirmed' });
  expect(one).toEqual(orderRow);
  const list = await runCli({ argv: ['list', 'registrations', event] });
  expect(list.lines).toEqual([expect.stringMatching(`^${registration}  confirmed  demo-`)]);
});

test('a list stops at its limit and says so', async () => {
  await Promise.all([trigger('registration.created'), trigger('registration.created')]);
  const { lines, notes, code } = await runCli({ argv: ['list', 'events', '--limit', '1'] });
  expect({ code, lines: lines.length }).toEqual({ code: 0, lines: 1 });
  expect(notes).toContain('there are more than 1');
});

test('the error of the API is complete, as text and as JSON', async () => {
  const argv = ['get', 'event', 'evt_00000000000000000000000000'];
  const [plain, inJson] = await Promise.all([
    runCli({ argv }),
    runCli({ argv: [...argv, '--json'] }),
  ]);
  expect(plain.code).toBe(1);
  expect(plain.notes).toMatch(/404 NOT_FOUND\n {2}request id {2}req_/);
  expect(JSON.parse(inJson.notes)).toMatchObject({
    error: { httpStatus: 404, status: 'NOT_FOUND', requestId: expect.stringMatching(/^req_/) },
  });
});

test('a sale is set up and run from nothing', async () => {
  /** Runs a command that changes something. Returns the record. */
  const write = async (...argv: string[]) => (await records(argv))[0];
  const when = ['--timezone', 'Europe/Berlin', '--starts-at', '2031-05-10T09:00:00+02:00'];
  const { id: event } = await write('create', 'event', '--name', 'Summit', ...when);
  const sale = ['--name', 'Standard', '--capacity', '20', '--price-amount', '23920'];
  const { id: type } = await write('create', 'ticket-type', event, ...sale);
  await write('update', 'event', event, '--status', 'published');
  await write('update', 'ticket-type', event, type, '--status', 'open');
  const discount = JSON.stringify({ type: 'percent', value: 100 });
  const guests = ['--code', 'GUESTS', '--max-uses', '5', '--discount', discount];
  const codeOf = ['--registration-type-id', type, ...guests];
  const { redemptionCodes } = await write('create', 'redemption-codes', event, ...codeOf);
  const items = JSON.stringify([{ itemType: 'ticket_type', itemId: type }]);
  const order = (...more: string[]) => ['place', 'order', event, '--items', items, ...more];

  const first = order('--email', 'ada@example.com', '--redemption-code', 'GUESTS');
  const placed = await runCli({ argv: first });
  const [, key = ''] = /Idempotency-Key: (\S+)/.exec(placed.notes) ?? [];
  const free = JSON.parse(placed.lines.join('\n'));
  expect((await write(...first, '--key', key)).orderNumber).toBe(free.orderNumber);
  const confirmed = await write('confirm', 'order', event, free.orderNumber);
  expect(confirmed).toMatchObject({ status: 'paid' });
  const held = await write(...order('--email', 'bob@example.com'));
  await write('cancel', 'order', event, held.orderNumber, '--yes');
  await write('disable', 'redemption-code', event, redemptionCodes[0].id);

  const list = await runCli({ argv: ['list', 'orders', event] });
  expect(list.lines.toSorted()).toEqual(
    [
      `${free.orderNumber}  paid  EUR 0.00  ada@example.com  –`,
      `${held.orderNumber}  cancelled  EUR 239.20  bob@example.com  –`,
    ].toSorted(),
  );
  const { lines: csv } = await runCli({ argv: ['export', 'orders', event] });
  expect(csv.filter((line) => line.includes('"ada@example.com"'))).toHaveLength(1);
  const badge = join(newHome(), 'badge.svg');
  const of = [event, confirmed.registrationIds[0], '--output', badge];
  await write('get', 'registration-badge', ...of);
  expect(readFileSync(badge, 'utf8')).toContain('<svg');
});

test('an error of the API names the option', async () => {
  const argv = ['create', 'event', '--name', 'Summit', '--timezone', 'Berlin'];
  const { code, notes } = await runCli({ argv });
  expect(code).toBe(1);
  expect(notes).toContain('field       timezone (--timezone): ');
});

describe('trigger', () => {
  test.each(['order.paid', 'registration.created', 'checkin.created'])(
    '%s causes this change with new records only',
    async (scenario) => {
      const after = await headCursor();
      const created = await trigger(scenario);
      await eventually(async () => {
        const changes = await records(['changes', 'tail', '--after', after, '--until-end']);
        const [object] = scenario.split('.');
        expect(changes).toContainEqual(
          expect.objectContaining({
            type: scenario,
            eventId: created.event,
            object: expect.objectContaining({ id: created[object ?? ''] }),
          }),
        );
      });
    },
  );

  test('works with a key that may manage and sell, and with read only creates nothing', async () => {
    const keyWith = async (groups: ('read' | 'sell' | 'manage')[]) => {
      const key = { businessUnitId: unit.unitId, name: groups.join(), groups };
      const { secret } = await platform.operator.call(createKey, key);
      return { EVENT_API_URL: platform.baseUrl, EVENT_API_KEY: secret };
    };
    const [seller, reader] = await Promise.all([keyWith(['manage', 'sell']), keyWith(['read'])]);
    await records(['trigger', 'order.paid'], { env: seller });
    const before = (await records(['list', 'events'])).length;
    const { code, notes } = await runCli({ argv: ['trigger', 'order.paid'], env: reader });
    expect(code).toBe(1);
    expect(notes).toContain('403 PERMISSION_DENIED');
    expect((await records(['list', 'events'])).length).toBe(before);
  });
});

/** A proxy that leaves the third change of the first page out. */
async function startLossyProxy(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { authorization = '' } = request.headers;
    const upstream = await fetch(`${platform.baseUrl}${request.url}`, {
      headers: { authorization },
    });
    const body = (await upstream.json()) as { changes?: unknown[] };
    if (!request.url?.includes('after=')) body.changes?.splice(2, 1);
    response.writeHead(upstream.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  return `http://127.0.0.1:${await listenOn(server, 0)}`;
}

async function listenOn(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

describe('changes', () => {
  test('verify proves the feed from its start and from a stored position', async () => {
    await trigger('registration.created');
    const [whole] = await eventually(async () => {
      const results = await records(['changes', 'verify']);
      expect(results[0].verified).toBeGreaterThan(4);
      return results;
    });
    expect(whole.unproven).toBe(0);
    await trigger('registration.created');
    await eventually(async () => {
      const position = ['--after', whole.cursor, '--digest', whole.digest];
      const [rest] = await records(['changes', 'verify', ...position]);
      expect(rest.verified).toBeGreaterThan(0);
    });
  });

  test('verify fails when a change is missing, or when the stored digest is another one', async () => {
    await trigger('registration.created');
    await eventually(async () => {
      expect((await records(['changes', 'verify']))[0].verified).toBeGreaterThan(4);
    });
    const env = { EVENT_API_URL: await startLossyProxy(), EVENT_API_KEY: unit.secret };
    const lossy = await runCli({ argv: ['changes', 'verify'], env });
    expect(lossy.code).toBe(1);
    expect(lossy.notes).toContain('do not match the digest');
    const after = await headCursor();
    await trigger('registration.created');
    await eventually(async () => {
      const argv = ['changes', 'verify', '--after', after, '--digest', '0'.repeat(64)];
      expect((await runCli({ argv })).code).toBe(1);
    });
  });

  test('tail prints changes as they happen and ends at Ctrl-C', async () => {
    const { child, printed, ended } = start({ argv: ['changes', 'tail'] });
    await eventually(() => expect(printed.notes).toContain('waiting for changes'));
    const { checkin } = await trigger('checkin.created');
    await eventually(() => expect(printed.out).toMatch(`checkin.created  ${checkin}`));
    await stop(child, ended);
  });
});

interface Webhook {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server of an integrator on a port of its choice. */
async function startServer(port: number, received: Webhook[]): Promise<Server> {
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(204).end();
  });
  await listenOn(server, port);
  return server;
}

describe('listen', () => {
  test('sends changes with a signature that verifyWebhook accepts', async () => {
    const received: Webhook[] = [];
    const port = await freePort();
    await startServer(port, received);
    const argv = ['listen', '--forward-to', `http://127.0.0.1:${port}/webhooks`];
    const { child, printed, ended } = start({ argv: [...argv, '--types', 'order.paid'] });
    await eventually(() => expect(printed.notes).toContain('sending changes'));
    const { order } = await trigger('order.paid');
    await eventually(() => expect(received).toHaveLength(1));
    const [, key = ''] = /webhook secret: (\S+)/.exec(printed.notes) ?? [];
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    const change = (await verifyWebhook({ key, headers, body })) as Change;
    expect(change).toMatchObject({ type: 'order.paid', object: { id: order } });
    expect(headers['webhook-id']).toBe(change.id);
    const tampered = body.replace('order.paid', 'order.held');
    await expect(verifyWebhook({ key, headers, body: tampered })).rejects.toThrow();
    await eventually(() => expect(printed.out).toMatch(/^204 {2}order.paid/));
    await stop(child, ended);
  });

  test('loses no change while the server or the program itself is stopped', async () => {
    const received: Webhook[] = [];
    const port = await freePort();
    const home = newHome();
    const argv = ['listen', '--forward-to', `http://127.0.0.1:${port}/`];
    const run = { argv: [...argv, '--types', 'registration.created'], home };
    const first = start(run);
    await eventually(() => expect(first.printed.notes).toContain('sending changes'));
    const { registration: whileServerStopped } = await trigger('registration.created');
    await eventually(() => expect(first.printed.notes).toContain('waiting for it'));
    await startServer(port, received);
    await eventually(() => expect(received).toHaveLength(1));
    await eventually(() => expect(first.printed.out).toContain(whileServerStopped));
    await stop(first.child, first.ended);
    const { registration: whileStopped } = await trigger('registration.created');
    const second = start({ ...run, argv: [...run.argv, '--resume'] });
    const ids = () => received.map(({ body }) => (JSON.parse(body) as Change).object.id);
    await eventually(() => expect(ids()).toContain(whileStopped));
    expect(ids()).toContain(whileServerStopped);
    await stop(second.child, second.ended);
    const secrets = [first, second].map(({ printed }) => /whsec_\S+/.exec(printed.notes)?.[0]);
    expect(secrets[0]).toBe(secrets[1]);
  });
});
