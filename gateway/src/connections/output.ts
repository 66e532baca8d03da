import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { timeouts } from '../timeouts.ts';
import { isStalled, type Progress, updateProgress } from './connections.rules.ts';
import { readSendQueues } from './send-queues.ts';

export interface OutputLimits {
  /** How long a client may read none of its pending response bytes, in milliseconds. */
  stallTimeoutMs: number;
  /** Maximum number of pending bytes of response bodies over all connections. */
  maxPendingBytes: number;
}

export interface OutputGuard {
  /** Counts `bytes` of memory that `response` occupies until it is closed. */
  reserve(response: ServerResponse, bytes: number): void;
  /**
   * Lowers the stall timeout to at most `stallTimeoutMs`, so that a drain does not wait for clients
   * that do not read.
   */
  tighten(stallTimeoutMs: number): void;
}

interface OpenConnection {
  progress: Progress;
  pendingBytes: number;
}

const closingReasons = ['stalled', 'pending_bytes'] as const;

/** Samples per stall timeout. More of them would close stalled connections more exactly. */
const samplesPerTimeout = 15;

/**
 * The share of the stall timeout after which the kernel is asked what the client has acknowledged.
 */
const suspectShare = 0.5;

/**
 * Limits the memory of responses that clients do not read. Closes a connection that has queued
 * bytes and whose client takes none of them for the stall timeout. When the pending bodies exceed
 * `maxPendingBytes`, closes the connection that has waited longest. Idle connections and requests
 * in progress have no queued bytes and stay open.
 */
export function guardOutput(
  server: Server,
  options: { limits: OutputLimits; metrics: Metrics; readQueues?: typeof readSendQueues },
): OutputGuard {
  const { limits, metrics, readQueues = readSendQueues } = options;
  const countClosed = metrics.counter('gateway.connections.closed');
  // Counters start at zero, so that the first closing is an increase.
  for (const reason of closingReasons) countClosed({ reason }, 0);
  const open = new Map<Socket, OpenConnection>();
  let { stallTimeoutMs } = limits;
  let isDraining = false;
  let isSampling = false;
  let pendingBytes = 0;

  const sampleIntervalMs = Math.max(
    timeouts.stallCheckMinIntervalMs,
    stallTimeoutMs / samplesPerTimeout,
  );
  const timer = setInterval(async () => {
    if (isSampling) return;
    isSampling = true;
    await closeStalled();
    isSampling = false;
  }, sampleIntervalMs).unref();
  server.once('close', () => clearInterval(timer));

  server.on('connection', (socket: Socket) => {
    if (socket.destroyed) return;
    const progress = { takenBytes: 0, acknowledgedBytes: null, atMs: performance.now() };
    open.set(socket, { progress, pendingBytes: 0 });
    socket.once('close', () => forget(socket));
  });

  async function closeStalled(): Promise<void> {
    sample(open.keys(), new Map());
    const suspects = idleFor(stallTimeoutMs * suspectShare);
    if (suspects.length === 0) return;
    // A drain has to end in time, so it does not wait for slow clients.
    if (!isDraining) sample(suspects, await readQueues(suspects));
    for (const socket of idleFor(stallTimeoutMs)) close(socket, 'stalled');
  }

  function sample(sockets: Iterable<Socket>, sendQueues: ReadonlyMap<Socket, number>): void {
    const atMs = performance.now();
    for (const socket of sockets) {
      const connection = open.get(socket);
      if (!connection) continue;
      const queuedBytes = socket.writableLength;
      const takenBytes = socket.bytesWritten - queuedBytes;
      const unacknowledgedBytes = sendQueues.get(socket) ?? null;
      connection.progress = updateProgress(connection.progress, {
        takenBytes,
        queuedBytes,
        unacknowledgedBytes,
        atMs,
      });
    }
  }

  function idleFor(timeoutMs: number): Socket[] {
    const nowMs = performance.now();
    const idle = [...open].filter(([, { progress }]) => isStalled(progress, nowMs, timeoutMs));
    return idle.map(([socket]) => socket);
  }

  function close(socket: Socket, reason: (typeof closingReasons)[number]): void {
    countClosed({ reason });
    forget(socket);
    socket.destroy();
  }

  function forget(socket: Socket): void {
    pendingBytes -= open.get(socket)?.pendingBytes ?? 0;
    open.delete(socket);
  }

  function longestWaiting(): Socket | undefined {
    const waiting = [...open].filter(([, connection]) => connection.pendingBytes > 0);
    waiting.sort(([, one], [, other]) => one.progress.atMs - other.progress.atMs);
    return waiting[0]?.[0];
  }

  return {
    reserve(response, bytes) {
      const { socket } = response.req;
      const connection = open.get(socket);
      if (!connection) return;
      connection.pendingBytes += bytes;
      pendingBytes += bytes;
      response.once('close', () => {
        if (!open.has(socket)) return;
        connection.pendingBytes -= bytes;
        pendingBytes -= bytes;
      });
      while (pendingBytes > limits.maxPendingBytes) {
        const socketToClose = longestWaiting();
        if (!socketToClose) return;
        close(socketToClose, 'pending_bytes');
      }
    },
    tighten(timeoutMs) {
      isDraining = true;
      stallTimeoutMs = Math.min(stallTimeoutMs, timeoutMs);
    },
  };
}
