import type { ServerResponse } from 'node:http';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGatewayDatabase, startGateway, startUpstream } from './harness.ts';
import { connectRaw, request } from './raw.ts';

let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
beforeAll(async () => {
  database = await createGatewayDatabase();
});
afterAll(() => database?.drop());

/** A gateway whose service delays every response until `release`. */
async function startHolding() {
  const held: ServerResponse[] = [];
  const upstream = await startUpstream((_, response) => void held.push(response));
  const gateway = await startGateway({ catalogUrl: upstream.url, databaseUrl: database.url });
  const { secret } = await gateway.createKey();
  return {
    gateway,
    upstream,
    held,
    requestBytes: request('GET /v1/events HTTP/1.1', [
      'Host: gateway',
      `Authorization: Bearer ${secret}`,
    ]),
    release() {
      for (const response of held.splice(0)) {
        response.setHeader('content-type', 'application/json').end('{"ok":true}');
      }
    },
    async close() {
      await gateway.close();
      await upstream.close();
    },
  };
}

const idle = async (url: string, path: string) => {
  const connection = connectRaw(url);
  connection.write(request(`GET ${path} HTTP/1.1`, ['Host: gateway']));
  const [response] = await connection.responses(1);
  expect(response?.status).toBe(200);
  expect(response?.headers.connection).toBe('keep-alive');
  return connection;
};

describe('a drain', () => {
  test('responds to requests in progress with Connection: close, and ends within two seconds', async () => {
    const { gateway, held, requestBytes, release, close } = await startHolding();
    const connections = Array.from({ length: 5 }, () => connectRaw(gateway.apiUrl));
    for (const connection of connections) connection.write(requestBytes);
    await eventually(() => expect(held).toHaveLength(5));
    const stopped = gateway.stop();
    let isStopped = false;
    void stopped.then(() => {
      isStopped = true;
    });
    await eventually(async () => {
      await expect(fetch(gateway.apiUrl)).rejects.toThrow();
    });
    expect(isStopped).toBe(false);
    release();
    const releasedAt = performance.now();
    for (const connection of connections) {
      const [response] = await connection.responses(1);
      expect(response).toMatchObject({ status: 200, body: '{"ok":true}' });
      expect(response?.headers.connection).toBe('close');
      await connection.closed;
    }
    await stopped;
    expect(performance.now() - releasedAt).toBeLessThan(2000);
    await close();
  });

  test('closes idle connections of both ports immediately and rejects new ones', async () => {
    const { gateway, close } = await startHolding();
    const idlers = [
      await idle(gateway.apiUrl, '/openapi.json'),
      await idle(gateway.internalUrl, '/healthz'),
      connectRaw(gateway.apiUrl),
    ];
    await new Promise<void>((resolve) => idlers[2]?.socket.once('connect', () => resolve()));
    const startedAt = performance.now();
    await gateway.stop();
    // Less than the time that an arriving request has.
    expect(performance.now() - startedAt).toBeLessThan(900);
    await Promise.all(idlers.map(({ closed }) => closed));
    for (const url of [gateway.apiUrl, gateway.internalUrl]) {
      await expect(fetch(url)).rejects.toThrow();
    }
    await close();
  });

  test('reports not ready while it runs, and stays live', async () => {
    const { gateway, held, requestBytes, release, close } = await startHolding();
    await eventually(async () =>
      expect((await httpClient(gateway.internalUrl)('GET', '/readyz')).status).toBe(200),
    );
    // A connection from before the drain, with a request that arrives in two parts.
    const late = connectRaw(gateway.internalUrl);
    late.write('GET /readyz HTTP/1.1\r\n');
    const connection = connectRaw(gateway.apiUrl);
    connection.write(requestBytes);
    await eventually(() => expect(held).toHaveLength(1));
    const stopped = gateway.stop();
    late.write('Host: gateway\r\n\r\n');
    const [response] = await late.responses(1);
    expect([response?.status, response?.headers.connection]).toEqual([503, 'close']);
    release();
    await stopped;
    await close();
  });

  test('serves a request that arrives on an open connection', async () => {
    const { gateway, held, requestBytes, release, close } = await startHolding();
    const connection = connectRaw(gateway.apiUrl);
    connection.write(requestBytes.slice(0, -2));
    const first = connectRaw(gateway.apiUrl);
    first.write(requestBytes);
    await eventually(() => expect(held).toHaveLength(1));
    const stopped = gateway.stop();
    connection.write('\r\n');
    await eventually(() => expect(held).toHaveLength(2));
    release();
    const [response] = await connection.responses(1);
    expect([response?.status, response?.headers.connection]).toEqual([200, 'close']);
    await stopped;
    await close();
  });

  test('is not delayed by clients that disconnect or never complete a request', async () => {
    const { gateway, held, requestBytes, release, close } = await startHolding();
    const left = connectRaw(gateway.apiUrl);
    left.write(requestBytes);
    await eventually(() => expect(held).toHaveLength(1));
    left.socket.resetAndDestroy();
    release();
    const halfAHead = connectRaw(gateway.apiUrl);
    const halfABody = connectRaw(gateway.apiUrl);
    await Promise.all([
      new Promise<void>((resolve) => halfAHead.socket.write('GET /v1/ev', () => resolve())),
      new Promise<void>((resolve) => {
        const head = requestBytes.replace('GET', 'POST').slice(0, -2);
        const type = 'Content-Type: application/json';
        halfABody.socket.write(`${head}${type}\r\nContent-Length: 9\r\n\r\n{`, () => resolve());
      }),
    ]);
    const startedAt = performance.now();
    await gateway.stop();
    expect(performance.now() - startedAt).toBeLessThan(2000);
    await Promise.all([halfAHead.closed, halfABody.closed]);
    await close();
  });

  test('ends although a client does not read its response', async () => {
    const { gateway, close } = await startHolding();
    // The first request for the documentation builds it.
    await gateway.api.inject('/docs/js/scalar.js');
    // The kernel accepts a part of the bytes without a reader.
    const bytes = request('GET /docs/js/scalar.js HTTP/1.1', ['Host: gateway']).repeat(4);
    const stalled = connectRaw(gateway.apiUrl);
    stalled.socket.pause();
    stalled.write(bytes);
    await eventually(async () => {
      const open = await new Promise((resolve) =>
        gateway.api.server.getConnections((_, count) => resolve(count)),
      );
      expect(open).toBe(1);
    });
    const startedAt = performance.now();
    await gateway.stop();
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    stalled.socket.destroy();
    await close();
  });
});
