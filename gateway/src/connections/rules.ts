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
  atMs: number;
}

/** The last progress of a connection, and the bytes taken until then. */
export interface Progress {
  takenBytes: number;
  atMs: number;
}

/**
 * Returns the progress of a connection after `sample`. A connection without queued bytes always progresses, so idle
 * keep-alive connections and requests in progress are never stalled.
 */
export function updateProgress(
  previous: Progress,
  { takenBytes, queuedBytes, atMs }: OutputSample,
): Progress {
  const hasProgressed = queuedBytes === 0 || takenBytes !== previous.takenBytes;
  return hasProgressed ? { takenBytes, atMs } : previous;
}

/** Returns whether a connection has taken none of its queued bytes for `timeoutMs`. */
export const isStalled = (progress: Progress, nowMs: number, timeoutMs: number): boolean =>
  nowMs - progress.atMs >= timeoutMs;
