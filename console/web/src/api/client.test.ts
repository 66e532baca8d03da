import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, newIdempotencyKey } from './client.ts';

/** Responds with whether a request is a live read. */
const server = createServer(({ headers }, response) => {
  response.end(JSON.stringify({ isLive: headers['live-read'] !== undefined }));
});
let path = '';
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  path = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/units`;
});
afterAll(() => void server.close());

test('reads are live from a message of the stream until the page writes', async () => {
  const client = createClient(async () => false);
  const read = () => client.request<{ isLive: boolean }>({ path });
  expect(await read()).toEqual({ isLive: false });
  client.setLive(true);
  expect(await read()).toEqual({ isLive: true });
  const write = { method: 'POST', path, body: {}, idempotencyKey: newIdempotencyKey() } as const;
  expect(await client.request(write)).toEqual({ isLive: false });
  expect(await read()).toEqual({ isLive: false });
  client.setLive(true);
  expect(await read()).toEqual({ isLive: true });
  client.setLive(false);
  expect(await read()).toEqual({ isLive: false });
});
