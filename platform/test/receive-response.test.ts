import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveResponse } from '../src/http/receive-response.ts';
import { eventually } from '../testing/eventually.ts';

let server: Server;
let origin: string;
let respond: (request: IncomingMessage, response: ServerResponse) => void;
const agent = new Agent();
beforeAll(async () => {
  server = createServer((request, response) => respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await agent.destroy();
  server.closeAllConnections();
  server.close();
});

const send = (limits: { timeoutMs?: number; signal?: AbortSignal } = {}, path = '/') =>
  receiveResponse(agent, { origin, path, method: 'GET' }, { timeoutMs: 60_000, ...limits });

test('returns the status, the headers and the whole body', async () => {
  respond = ({ url, method }, response) => {
    response.writeHead(418, { 'x-of': `${method} ${url}` });
    response.write('short ');
    setImmediate(() => response.end('and stout ☕'));
  };
  const { statusCode, headers, body } = await send({}, '/pot?full=1');
  expect([statusCode, headers['x-of'], body.toString()]).toEqual([
    418,
    'GET /pot?full=1',
    'short and stout ☕',
  ]);
});

test('returns an empty body', async () => {
  respond = (_request, response) => response.writeHead(204).end();
  expect(await send()).toMatchObject({ statusCode: 204, body: Buffer.alloc(0) });
});

test.each([
  ['before the headers', () => {}],
  ['within the body', (response: ServerResponse) => void response.writeHead(200).write('half')],
])('fails after the timeout, %s, and closes the connection', async (_when, start) => {
  let closed = false;
  respond = (request, response) => {
    request.socket.once('close', () => {
      closed = true;
    });
    start(response);
  };
  await expect(send({ timeoutMs: 50 })).rejects.toMatchObject({ name: 'TimeoutError' });
  await eventually(() => expect(closed).toBe(true));
});

test('fails after the timeout while it waits for a connection, and is not sent then', async () => {
  const one = new Agent({ connections: 1 });
  const received: (string | undefined)[] = [];
  let end = () => {};
  respond = ({ url }, response) => {
    received.push(url);
    if (url === '/first') end = () => response.end();
    else response.end();
  };
  const limits = { timeoutMs: 60_000 };
  const first = receiveResponse(one, { origin, path: '/first', method: 'GET' }, limits);
  await eventually(() => expect(received).toEqual(['/first']));
  const late = receiveResponse(one, { origin, path: '/late', method: 'GET' }, { timeoutMs: 20 });
  await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });
  end();
  await first;
  await receiveResponse(one, { origin, path: '/next', method: 'GET' }, limits);
  expect(received).toEqual(['/first', '/next']);
  await one.close();
});

test('fails with the reason of its signal, before and after it was sent', async () => {
  const reason = new Error('the resync has ended');
  await expect(send({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const stopping = new AbortController();
  respond = () => stopping.abort(reason);
  await expect(send({ signal: stopping.signal })).rejects.toBe(reason);
});

test('fails when the connection breaks within the body, and when nothing listens', async () => {
  respond = (request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half');
    setImmediate(() => request.socket.destroy());
  };
  await expect(send()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  const unreachable = { origin: 'http://127.0.0.1:1', path: '/', method: 'GET' } as const;
  await expect(receiveResponse(agent, unreachable, { timeoutMs: 60_000 })).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
});

test('leaves no timer behind, which would keep the request and its response alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  respond = (_request, response) => response.end('done');
  // Opens the connection, which has timers of its own.
  await send();
  const before = timers();
  for (let n = 0; n < 20; n++) await send();
  expect(timers()).toBeLessThan(before + 10);
});
