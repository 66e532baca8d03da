import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, isIPv6, type LookupFunction } from 'node:net';
import { systemClock } from '@event-api/platform/core/clock';
import { createTestAuthority } from '@event-api/platform/testing/certificates';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAgents, isBlockedAddressOf } from '../../src/webhook-delivery/agents.ts';
import { createSendRequest } from '../../src/webhook-delivery/request.ts';
import { createLookup } from '../../src/webhook-delivery/resolve-address.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver?.close());
afterEach(() => {
  receiver.react(() => 200);
  receiver.received.length = 0;
});

/** Sends one request. `addresses` is what every name resolves to. */
function post(
  url: string,
  options: { allowLoopback?: boolean; addresses?: string[]; signal?: AbortSignal } = {},
) {
  const { allowLoopback = false, addresses, signal = new AbortController().signal } = options;
  const lookup: LookupFunction = addresses
    ? (_name, { all }, callback) => {
        const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        if (all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      }
    : createLookup();
  const agents = createAgents({ allowLoopback, lookup });
  const send = createSendRequest(agents, systemClock, { connectMs: 1000, responseMs: 2000 });
  return send({ url, headers: { 'webhook-id': 'chg_1' }, body: '{"ü":1}', signal });
}

const portOf = (url: string) => new URL(url).port;
const noContent = { contentType: null, body: '' };
const blocked = { outcome: 'unreachable', reason: 'blocked_address' };

/** Spellings of addresses of this machine, as hosts of URLs. */
const spellings = [
  '127.0.0.1',
  'localhost',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '0.0.0.0',
  '[::]',
  '127.1',
  '[64:ff9b::127.0.0.1]',
];

const privateAddresses = [
  ...['127.0.0.1', '127.8.9.10', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '192.0.2.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ...['::1', '::', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::7f00:1', '64:ff9b::7f00:1'],
  ...['64:ff9b:1::7f00:1', '2002:7f00:1::', 'fe80::1', 'fd00::1', 'fec0::1', 'ff02::1'],
];

describe('the host of a URL is judged as delivery judges it', () => {
  const hostOf = (address: string) => (isIPv6(address) ? `[${address}]` : address);

  test.each([...privateAddresses.map(hostOf), ...spellings])('%s', (host) => {
    const { hostname } = new URL(`https://${host}/`);
    // A name is judged by what it resolves to.
    expect(isBlockedAddressOf(hostname, false)).toBe(hostname !== 'localhost');
    const isOwn = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
    expect(isBlockedAddressOf(hostname, true)).toBe(!isOwn);
  });

  test.each(['93.184.215.14', '[2606:4700::1111]', 'shop.example'])('%s is admitted', (host) => {
    expect(isBlockedAddressOf(host, false)).toBe(false);
  });
});

describe('an address that is not public', () => {
  test.each(spellings)('is not connected to as %s', async (host) => {
    const before = receiver.connections();
    for (const scheme of ['http', 'https'])
      expect(await post(`${scheme}://${host}:${portOf(receiver.url)}/`)).toEqual(blocked);
    expect(receiver.connections()).toBe(before);
  });

  test.each(privateAddresses)(
    'is not connected to as the address of a name: %s',
    async (address) => {
      const before = receiver.connections();
      const addresses = [address];
      for (const scheme of ['http', 'https'])
        expect(
          await post(`${scheme}://shop.example:${portOf(receiver.url)}/`, { addresses }),
        ).toEqual(blocked);
      expect(receiver.connections()).toBe(before);
    },
  );

  test.each(privateAddresses.filter(isIPv6))('is not connected to as [%s]', async (address) => {
    expect(await post(`http://[${address}]:${portOf(receiver.url)}/`)).toEqual(blocked);
  });

  test('is not connected to as one of two addresses of a name', async () => {
    const addresses = ['192.0.32.8', '127.0.0.1'];
    expect(await post('https://shop.example/', { addresses })).toEqual(blocked);
  });

  test('is not connected to by a redirect', async () => {
    const target = await startReceiver();
    receiver.react(() => (response) => response.writeHead(302, { location: target.url }).end());
    expect(await post(receiver.url, { allowLoopback: true })).toEqual({
      ...{ outcome: 'rejected', status: 302, retryAfterMs: null, content: noContent },
    });
    expect(target.connections()).toBe(0);
    await target.close();
  });
});

describe('with loopback allowed', () => {
  test('127.0.0.1, ::1 and localhost are connected to over HTTP on any port', async () => {
    const six = await startReceiver({ host: '::1' });
    const localhost = `http://localhost:${portOf(receiver.url)}/`;
    for (const url of [receiver.url, six.url, localhost])
      expect(await post(url, { allowLoopback: true })).toEqual({
        ...{ outcome: 'acknowledged', status: 200, content: noContent },
      });
    await six.close();
  });

  test.each(privateAddresses.filter((address) => !['127.0.0.1', '::1'].includes(address)))(
    '%s is not connected to',
    async (address) => {
      const options = { allowLoopback: true, addresses: [address] };
      expect(await post('https://shop.example/', options)).toEqual(blocked);
    },
  );
});

describe('a request', () => {
  const toReceiver = () => post(receiver.url, { allowLoopback: true });

  test('has the bytes of the body, on a connection of its own', async () => {
    const before = receiver.connections();
    await toReceiver();
    await toReceiver();
    expect(receiver.connections()).toBe(before + 2);
    const [first] = receiver.received;
    expect(first).toMatchObject({
      body: '{"ü":1}',
      headers: { 'content-length': '8', connection: 'close', 'webhook-id': 'chg_1' },
    });
  });

  test.each([200, 201, 204, 299])('is acknowledged by %i', async (status) => {
    receiver.react(() => status);
    expect(await toReceiver()).toEqual({ outcome: 'acknowledged', status, content: noContent });
  });

  test.each([301, 302, 307, 400, 404, 410, 500, 503])('is rejected by %i', async (status) => {
    receiver.react(() => status);
    expect(await toReceiver()).toEqual({
      ...{ outcome: 'rejected', status, retryAfterMs: null, content: noContent },
    });
  });

  test('reports the seconds of Retry-After', async () => {
    receiver.react(() => (response) => response.writeHead(503, { 'retry-after': '90' }).end());
    expect(await toReceiver()).toMatchObject({ status: 503, retryAfterMs: 90_000 });
  });

  test.each([
    ['timeout', 'hang'],
    ['reset', 'reset'],
  ] as const)('ends with %s if the receiver does this: %s', async (reason, reaction) => {
    receiver.react(() => reaction);
    expect(await toReceiver()).toEqual({ outcome: 'unreachable', reason });
  });

  test('returns the content type and the beginning of the body, also of one that breaks off', async () => {
    receiver.react(() => (response) => {
      response.writeHead(500, { 'content-type': 'text/html; charset=utf-8', 'content-length': 99 });
      response.write('<h1>Zü', () => response.destroy());
    });
    expect(await toReceiver()).toMatchObject({
      ...{ outcome: 'rejected', status: 500 },
      content: { contentType: 'text/html; charset=utf-8', body: '<h1>Zü' },
    });
  });

  test('is acknowledged by a response without an end, of which a part is read', async () => {
    let isClosed = false;
    receiver.react(() => (response) => {
      response.on('close', () => {
        isClosed = true;
      });
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', write);
      write();
    });
    expect(await toReceiver()).toEqual({
      ...{ outcome: 'acknowledged', status: 200 },
      content: { contentType: null, body: 'x'.repeat(1024) },
    });
    await expect.poll(() => isClosed).toBe(true);
  });

  test('ends when it is aborted', async () => {
    const aborting = new AbortController();
    receiver.react(() => {
      aborting.abort();
      return 'hang';
    });
    const options = { allowLoopback: true, signal: aborting.signal };
    expect(await post(receiver.url, options)).toEqual({ outcome: 'aborted' });
  });
});

describe('a connection', () => {
  const listening = async (server: ReturnType<typeof createServer>) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const toPort = (scheme: string, port: number) =>
    post(`${scheme}://127.0.0.1:${port}/`, { allowLoopback: true });

  test('that is refused is a connect failure', async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await toPort('http', port)).toEqual({ outcome: 'unreachable', reason: 'connect' });
  });

  test('without a handshake times out', async () => {
    const server = createServer((socket) => void socket.on('error', () => {}));
    const port = await listening(server);
    expect(await toPort('https', port)).toEqual({ outcome: 'unreachable', reason: 'timeout' });
    server.close();
  });

  test('with an unknown certificate is a TLS failure', async () => {
    const server = createTlsServer(createTestAuthority().issue(), (_, response) => response.end());
    const port = await listening(server);
    expect(await toPort('https', port)).toEqual({ outcome: 'unreachable', reason: 'tls' });
    server.close();
  });

  test('to a server that does not speak HTTP is an invalid response', async () => {
    const server = createServer((socket) => socket.on('error', () => {}).end('SSH-2.0\r\n'));
    const port = await listening(server);
    expect(await toPort('http', port)).toEqual({
      ...{ outcome: 'unreachable', reason: 'invalid_response' },
    });
    server.close();
  });

  // Whatever a peer sends. A request that does not end keeps a place of the process for ever.
  const answers: Record<string, string> = {
    '101': 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    '101 without headers': 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    '200 with Upgrade': 'HTTP/1.1 200 OK\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    '100 and nothing else': 'HTTP/1.1 100 Continue\r\n\r\n',
    '103 and nothing else': 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
    'half a header': 'HTTP/1.1 200 OK\r\nContent-Le',
    'half a chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc',
    'a chunk of no number': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'less than its length': 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc',
    'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na',
    'two responses': 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 500 No\r\n\r\n',
    nothing: '',
  };

  test.each(['closes', 'stays'])(
    'ends its request after any answer of a peer that then %s',
    async (then) => {
      const outcomes = await Promise.all(
        Object.entries(answers).map(async ([name, answer]) => {
          const server = createServer((socket) => {
            socket.on('error', () => {});
            socket.once('data', () =>
              then === 'closes' ? socket.end(answer) : socket.write(answer),
            );
          });
          const { outcome } = await toPort('http', await listening(server));
          server.close();
          return [name, outcome];
        }),
      );
      for (const [name, outcome] of outcomes)
        expect(['acknowledged', 'rejected', 'unreachable'], name).toContain(outcome);
      expect(outcomes).toHaveLength(Object.keys(answers).length);
    },
  );

  test('that switches protocols is a rejection with its status', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
    });
    const port = await listening(server);
    expect(await toPort('http', port)).toMatchObject({ outcome: 'rejected', status: 101 });
    server.close();
  });

  test('to a name without an address is a DNS failure', async () => {
    const agents = createAgents({
      allowLoopback: false,
      lookup: (_name, _options, callback) =>
        callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), ''),
    });
    const send = createSendRequest(agents, systemClock);
    const request = { url: 'https://shop.example/', headers: {}, body: '{}' };
    expect(await send({ ...request, signal: new AbortController().signal })).toEqual({
      ...{ outcome: 'unreachable', reason: 'dns' },
    });
  });
});
