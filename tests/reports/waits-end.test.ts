import { type AddressInfo, createServer, type Server } from 'node:net';
import { sharedPlatform } from '@event-api/e2e/fixtures/platform';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Kind: a wait that only the events of a peer can end.

/** Enables its endpoint by the ping, then switches protocols for every request. */
let switching: Server;
let url: string;
beforeAll(async () => {
  switching = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (request) => {
      const isPing = String(request).includes('"type":"ping"');
      const answer = isPing
        ? 'HTTP/1.1 204 No Content\r\n\r\n'
        : 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
      socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => switching.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(switching.address() as AddressInfo).port}/`;
});
afterAll(() => void switching?.close());

// projectdiscovery/httpx#2517: a request hangs when the target answers 101 Switching Protocols.
test('a webhook that a receiver answers by 101 ends, is listed and is tried again', async () => {
  const platform = await sharedPlatform();
  const { secret } = await platform.newUnit();
  const call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
  const created = await call('POST', '/v1/webhook-endpoints', { body: { url } });
  expect(created.status).toBe(201);
  const path = `/v1/webhook-endpoints/${created.body.id}`;
  await eventually(async () => expect((await call('GET', path)).body.status).toBe('enabled'));
  const event = await call('POST', '/v1/events', { body: { name: 'Summit', timezone: 'UTC' } });
  expect(event.status).toBe(201);
  await eventually(async () => {
    const { body } = await call('GET', `${path}/deliveries?result=retrying`);
    expect(body.deliveries).toContainEqual(
      expect.objectContaining({ type: 'event.created', responseStatus: 101, reason: 'status' }),
    );
  });
});
