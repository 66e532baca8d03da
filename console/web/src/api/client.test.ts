import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, newIdempotencyKey } from './client.ts';

/** Responds with the message that a request names. */
const server = createServer(({ headers }, response) => {
  response.end(JSON.stringify({ message: headers['live-message'] ?? null }));
});
let path = '';
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  path = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/units`;
});
afterAll(() => void server.close());

test('a read names the last message of the live stream, until the page writes', async () => {
  const client = createClient(async () => false);
  const read = async () => (await client.request<{ message: string | null }>({ path })).message;
  expect(await read()).toBeNull();
  client.setLiveMessage('message_1');
  expect(await read()).toBe('message_1');
  const write = { method: 'POST', path, body: {}, idempotencyKey: newIdempotencyKey() } as const;
  expect(await client.request(write)).toEqual({ message: null });
  expect(await read()).toBeNull();
  client.setLiveMessage('message_2');
  expect(await read()).toBe('message_2');
  client.setLiveMessage(null);
  expect(await read()).toBeNull();
});
