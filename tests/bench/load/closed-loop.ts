import { connect, type Socket } from 'node:net';

export interface Load {
  host: string;
  port: number;
  connections: number;
  durationMs: number;
  /** Returns the bytes of the next request. Called once per request. */
  next: () => Buffer;
  /** Maximum number of requests. */
  limit?: number;
}

export interface LoadResult {
  requests: number;
  /** Number of responses by status; 0 counts connection errors. */
  statuses: Record<number, number>;
  seconds: number;
  /** In milliseconds, ascending. */
  latencies: Float64Array;
}

/**
 * Keeps `connections` connections busy for `durationMs`. Each sends its next request after the
 * response to the previous one. It implements only the HTTP that the platform's responses need
 * (Content-Length, no chunked encoding): client and servers share the machine, so CPU time of the
 * client reduces the figures.
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
  const maySend = () => performance.now() < endAt && left-- > 0;
  await Promise.all(Array.from({ length: load.connections }, () => keepBusy(load, maySend, count)));
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
  maySend: () => boolean,
  count: (status: number, latencyMs: number) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: load.host, port: load.port, noDelay: true });
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      if (!maySend()) return void socket.destroy();
      socket.write(load.next());
    };
    readResponses(socket, (status) => {
      count(status, performance.now() - sentAt);
      send();
    });
    socket.setTimeout(responseTimeoutMs, () => socket.destroy(new Error('no response')));
    socket.on('connect', send);
    // A broken connection is counted and not replaced. A bench with errors fails.
    socket.on('error', () => count(0, performance.now() - sentAt));
    socket.on('close', () => resolve());
  });
}

/** Calls `onResponse` with the status of each response when its body is complete. */
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
