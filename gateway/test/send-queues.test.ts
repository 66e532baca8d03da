import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { guardOutput } from '../src/connections/output.ts';
import { readSendQueues } from '../src/connections/send-queues.ts';
import { sliced } from '../src/responses/slices.ts';

const stallTimeoutMs = 300;
// More than the buffers of the kernel hold.
const body = Buffer.alloc(64 * 1024 * 1024);

let server: Server;
let client: Socket;
beforeEach(() => {
  server = createServer((_request, response: ServerResponse) => sliced(body).pipe(response));
});
afterEach(() => {
  client?.destroy();
  server.close();
});

/** Sends a request and reads nothing of its response. Returns the socket of the server. */
async function openUnread(): Promise<Socket> {
  server.listen(0, '127.0.0.1');
  const [, [accepted]] = await Promise.all([
    once(server, 'listening').then(() => {
      client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
      client.on('error', () => {});
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    }),
    once(server, 'connection'),
  ]);
  return accepted as Socket;
}

describe.runIf(process.platform === 'linux')('readSendQueues', () => {
  const read = async (socket: Socket) => (await readSendQueues([socket])).get(socket);

  test('returns the bytes that the client has not acknowledged', async () => {
    const socket = await openUnread();
    await eventually(async () => expect(await read(socket)).toBeGreaterThan(0));
    expect(await read(socket)).toBeLessThanOrEqual(socket.bytesWritten);
    client.resume();
    await eventually(async () => {
      expect(socket.bytesWritten).toBeGreaterThan(body.length);
      expect(await read(socket)).toBe(0);
    });
  });

  test('returns nothing for a closed connection', async () => {
    const socket = await openUnread();
    socket.destroy();
    expect(await read(socket)).toBeUndefined();
  });
});

describe('a client that takes no more bytes for the stall timeout', () => {
  /**
   * Guards the server with a client that acknowledges 20 kB at each read while it `acknowledges`.
   */
  function guard() {
    const metrics = createMetrics('gateway');
    const state = { acknowledges: true, unacknowledged: 1_000_000_000, reads: 0 };
    const output = guardOutput(server, {
      limits: { stallTimeoutMs, maxPendingBytes: 1 },
      metrics,
      readQueues: async (sockets) => {
        state.reads += 1;
        if (state.acknowledges) state.unacknowledged -= 20_000;
        return new Map(sockets.map((socket) => [socket, state.unacknowledged]));
      },
    });
    const closed = /^gateway_connections_closed_total\{.*reason="stalled".*\} (\d+)$/m;
    const stalled = async () => Number(closed.exec(await metrics.text())?.[1]);
    return { output, state, stalled };
  }

  test('stays connected while it acknowledges bytes, and is closed when it stops', async () => {
    const { state, stalled } = guard();
    const socket = await openUnread();
    // Each read shows progress, so the next one follows after half of the timeout: ten timeouts in
    // all.
    await eventually(() => expect(state.reads).toBeGreaterThan(20));
    expect([socket.destroyed, await stalled()]).toEqual([false, 0]);
    state.acknowledges = false;
    await eventually(() => expect(socket.destroyed).toBe(true));
    expect(await stalled()).toBe(1);
  });

  test('is closed during a drain although it acknowledges bytes', async () => {
    const { output, state } = guard();
    const socket = await openUnread();
    await eventually(() => expect(state.reads).toBeGreaterThan(0));
    output.tighten(stallTimeoutMs);
    await eventually(() => expect(socket.destroyed).toBe(true));
  });
});
