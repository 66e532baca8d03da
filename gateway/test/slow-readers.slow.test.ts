import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGatewayProcess } from './gateway-process.ts';
import { startUpstream } from './harness.ts';
import { connectRaw, exchange, request } from './raw.ts';

const stallTimeoutMs = 1500;
const mebibyte = 1024 * 1024;
const page = Buffer.from(JSON.stringify({ data: ['x'.repeat(2 * mebibyte)] }));

let upstream: Awaited<ReturnType<typeof startUpstream>>;
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>;
let authorization: string;
beforeAll(async () => {
  upstream = await startUpstream((_request, response) =>
    response.setHeader('content-type', 'application/json').end(page),
  );
  gateway = await startGatewayProcess(upstream.url, {
    RESPONSE_STALL_TIMEOUT_MS: String(stallTimeoutMs),
  });
  authorization = `Authorization: Bearer ${await gateway.createKey()}`;
});
afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

const host = 'Host: gateway';
const script = () => request('GET /docs/js/scalar.js HTTP/1.1', [host]);
const list = () => request('GET /v1/events HTTP/1.1', [host, authorization]);

/** Opens a connection and sends `bytes`. It reads nothing until a listener for data is added. */
function open(bytes: string) {
  const { hostname, port } = new URL(gateway.apiUrl);
  const socket = connect(Number(port), hostname).pause();
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  socket.write(bytes);
  return { socket, closed };
}

/**
 * Reads `bytesPerSecond` until `bytes` have arrived or the connection is closed, and returns the
 * number of received bytes.
 */
async function readSlowly(socket: Socket, bytes: number, bytesPerSecond: number) {
  let received = 0;
  let isClosed = false;
  socket.once('close', () => {
    isClosed = true;
  });
  while (received < bytes && !isClosed) {
    await delay(100);
    for (let left = bytesPerSecond / 10; left > 0; ) {
      const chunk: Buffer | null = socket.read(Math.min(left, socket.readableLength || 1));
      if (!chunk) break;
      left -= chunk.length;
      received += chunk.length;
    }
  }
  socket.destroy();
  return received;
}

/** Returns the highest memory of the gateway until `isDone`. */
async function watchMemory(isDone: () => Promise<boolean> | boolean): Promise<number> {
  let highest = 0;
  while (!(await isDone())) {
    highest = Math.max(highest, await gateway.memoryBytes());
    await delay(20);
  }
  return highest;
}

/**
 * Measures the memory of the same requests with clients that read. Most of it is garbage: V8 keeps
 * tens of megabytes of buffers until their collection, so only several rounds show the highest
 * value.
 */
async function memoryWithReaders(bytes: string): Promise<number> {
  const last = `${bytes.slice(0, -'\r\n'.length)}Connection: close\r\n\r\n`;
  const rounds: number[] = [];
  for (let round = 0; round < 3; round++) {
    let left = 200;
    for (let i = 0; i < 200; i++) {
      const { socket, closed } = open(last);
      socket.resume();
      void closed.then(() => {
        left -= 1;
      });
    }
    rounds.push(await watchMemory(() => left === 0));
  }
  return Math.max(...rounds);
}

async function closedConnections(): Promise<number> {
  const counts = ['stalled', 'pending_bytes'].map((reason) =>
    gateway.metric(`gateway_connections_closed_total{reason="${reason}"}`),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count);
}

/** Returns the highest memory while 200 connections read nothing, until they are closed. */
async function memoryWithoutReaders(bytes: string): Promise<number> {
  const closedBefore = await closedConnections();
  const readers = Array.from({ length: 200 }, () => open(bytes));
  // The kernel may accept all responses of a few connections, which are idle then.
  const highest = await watchMemory(async () => (await closedConnections()) >= closedBefore + 190);
  for (const { socket } of readers) socket.destroy();
  return highest;
}

describe.each([
  ['/docs/js/scalar.js', script],
  // The script fills the buffers of the kernel, so that the page stays in the gateway.
  ['a list page of 2 MiB', () => script() + list()],
])('200 connections that request %s and never read', (_name, bytes) => {
  test('use less than 64 MiB, and are closed after the stall timeout', async () => {
    const usual = await memoryWithReaders(bytes());
    let used = Number.POSITIVE_INFINITY;
    // Garbage adds to each measurement while the machine is busy. What the connections hold is part
    // of all of them.
    for (let round = 0; round < 12 && used >= 64; round++) {
      used = Math.min(used, ((await memoryWithoutReaders(bytes())) - usual) / mebibyte);
    }
    expect(used).toBeLessThan(64);
  }, 600_000);
});

describe('a client that reads slowly', () => {
  test('receives a page of 2 MiB', async () => {
    const { socket } = open(list());
    expect(await readSlowly(socket, page.length, 200_000)).toBeGreaterThan(page.length);
  });
});

describe('a connection without queued bytes', () => {
  test('stays open between requests for longer than the stall timeout', async () => {
    const connection = connectRaw(gateway.apiUrl);
    for (const pauseMs of [2 * stallTimeoutMs, 0]) {
      connection.write(request('GET /docs HTTP/1.1', [host]));
      await delay(pauseMs);
    }
    const responses = await connection.responses(2);
    expect(responses.map(({ status }) => status)).toEqual([301, 301]);
    connection.socket.destroy();
  });

  test('stays open while a service takes longer than the stall timeout', async () => {
    upstream.respondWith((_request, response) => {
      setTimeout(() => {
        response.setHeader('content-type', 'application/json').end('{"late":true}');
      }, 2 * stallTimeoutMs);
    });
    const [response] = await exchange(gateway.apiUrl, list());
    expect(response?.body).toBe('{"late":true}');
  });
});
