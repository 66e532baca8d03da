export interface ConnectionLimits {
  /** Open connections of one peer address. Proxies in `TRUST_PROXY` are exempt. */
  maxPerPeer: number;
  /** Open connections of all peers together. */
  maxTotal: number;
}

/** Number of open connections before the new one. `fromPeer` is null for a trusted proxy. */
export interface OpenConnections {
  total: number;
  fromPeer: number | null;
}

export const rejectionReasons = ['peer_limit', 'total_limit'] as const;

export type ConnectionDecision =
  | { outcome: 'accept' }
  | { outcome: 'reject'; reason: (typeof rejectionReasons)[number] };

/** Decides whether to accept another connection. */
export function decideConnection(
  { total, fromPeer }: OpenConnections,
  limits: ConnectionLimits,
): ConnectionDecision {
  if (total >= limits.maxTotal) return { outcome: 'reject', reason: 'total_limit' };
  if (fromPeer !== null && fromPeer >= limits.maxPerPeer) {
    return { outcome: 'reject', reason: 'peer_limit' };
  }
  return { outcome: 'accept' };
}

/** The unsent output of a connection at one moment. */
export interface OutputSample {
  /** Bytes that the kernel has accepted since the connection was opened. */
  takenBytes: number;
  /** Bytes that are queued in this process. */
  queuedBytes: number;
  /** Bytes that the kernel has accepted and the client has not acknowledged; null if unknown. */
  unacknowledgedBytes: number | null;
  atMs: number;
}

/** The last progress of a connection, and the bytes taken and acknowledged until then. */
export interface Progress {
  takenBytes: number;
  /** Null until it is known. */
  acknowledgedBytes: number | null;
  atMs: number;
}

/** A client that acknowledges less than this within the stall timeout is not waited for. */
const minAcknowledgedBytes = 16 * 1024;

/**
 * Returns the progress of a connection after `sample`. A connection without queued bytes always
 * progresses, so idle keep-alive connections and requests in progress are never stalled.
 *
 * The kernel accepts more bytes only when a third of its buffer is free. On a slow network that
 * takes longer than the stall timeout, so acknowledged bytes are progress, too.
 */
export function updateProgress(previous: Progress, sample: OutputSample): Progress {
  const { takenBytes, queuedBytes, unacknowledgedBytes, atMs } = sample;
  const acknowledgedBytes = unacknowledgedBytes === null ? null : takenBytes - unacknowledgedBytes;
  const progress = { takenBytes, acknowledgedBytes, atMs };
  if (queuedBytes === 0 || takenBytes !== previous.takenBytes) return progress;
  if (acknowledgedBytes === null) return previous;
  if (previous.acknowledgedBytes === null) return { ...previous, acknowledgedBytes };
  const acknowledged = acknowledgedBytes - previous.acknowledgedBytes;
  return acknowledged >= minAcknowledgedBytes ? progress : previous;
}

/** Returns whether a connection has taken none of its queued bytes for `timeoutMs`. */
export const isStalled = (progress: Progress, nowMs: number, timeoutMs: number): boolean =>
  nowMs - progress.atMs >= timeoutMs;
