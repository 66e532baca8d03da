import { connect, type Socket } from 'node:net';

export interface Load {
  host: string;
  port: number;
  connections: number;
  durationMs: number;
  /** The bytes of the next request; asked once for each. */
  next: () => Buffer;
  /** How many requests are sent at most. */
  limit?: number;
}

export interface LoadResult {
  requests: number;
  /** By status. Errors of connections are counted under 0. */
  statuses: Record<number, number>;
  seconds: number;
  /** Milliseconds each, in ascending order. */
  latencies: Float64Array;
}

/**
 * Keeps `connections` connections busy for `durationMs`: each sends its next request once it has the
 * answer to the last. Speaks as much HTTP as our answers need (with Content-Length, nothing chunked),
 * because client and servers share the machine: what the client burns is missing in the figures.
 */
export async function closedLoop(load: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const begunAt = performance.now();
  const endAt = begunAt + load.durationMs;
  const count = (status: number, latencyMs: number) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    latencies.push(latencyMs);
  };
  let left = load.limit ?? Number.POSITIVE_INFINITY;
  const mayGoOn = () => performance.now() < endAt && left-- > 0;
  await Promise.all(Array.from({ length: load.connections }, () => keepBusy(load, mayGoOn, count)));
  return {
    requests: latencies.length,
    statuses,
    seconds: (performance.now() - begunAt) / 1000,
    latencies: Float64Array.from(latencies).sort(),
  };
}

const responseTimeoutMs = 10_000;

function keepBusy(
  load: Load,
  mayGoOn: () => boolean,
  count: (status: number, latencyMs: number) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: load.host, port: load.port, noDelay: true });
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      if (!mayGoOn()) return void socket.destroy();
      socket.write(load.next());
    };
    readResponses(socket, (status) => {
      count(status, performance.now() - sentAt);
      send();
    });
    socket.setTimeout(responseTimeoutMs, () => socket.destroy(new Error('no answer')));
    socket.on('connect', send);
    // A broken connection shows in the result and is not replaced: a bench with errors is no bench.
    socket.on('error', () => count(0, performance.now() - sentAt));
    socket.on('close', () => resolve());
  });
}

/** Calls `onAnswer` with the status of each answer once its body is there. */
function readResponses(socket: Socket, onResponse: (status: number) => void): void {
  let received: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = received.toString('latin1', 0, headEnd);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) return void socket.destroy(new Error('no Content-Length'));
    if (received.length < headEnd + 4 + Number(length)) return;
    received = Buffer.alloc(0);
    onResponse(Number(head.slice(9, 12)));
  });
}
