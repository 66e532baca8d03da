export interface ConnectionLimits {
  /** Open connections of one peer address. Proxies in `TRUST_PROXY` are exempt. */
  maxPerPeer: number;
  /** Open connections of all peers together. */
  maxTotal: number;
}

/** Open connections before the one that is decided. `fromPeer` is null for a trusted proxy. */
export interface OpenConnections {
  total: number;
  fromPeer: number | null;
}

export const refusalReasons = ['peer_limit', 'total_limit'] as const;

export type ConnectionDecision =
  | { outcome: 'accept' }
  | { outcome: 'refuse'; reason: (typeof refusalReasons)[number] };

/** Whether one more connection may be opened. */
export function decideConnection(
  { total, fromPeer }: OpenConnections,
  limits: ConnectionLimits,
): ConnectionDecision {
  if (total >= limits.maxTotal) return { outcome: 'refuse', reason: 'total_limit' };
  if (fromPeer !== null && fromPeer >= limits.maxPerPeer) {
    return { outcome: 'refuse', reason: 'peer_limit' };
  }
  return { outcome: 'accept' };
}

/** The unsent output of a connection at one moment. */
export interface OutputSample {
  /** Bytes that the kernel has taken since the connection was opened. */
  takenBytes: number;
  /** Bytes that wait in this process for the kernel to take them. */
  queuedBytes: number;
  atMs: number;
}

/** The last time that a connection made progress, and how far it was then. */
export interface Progress {
  takenBytes: number;
  atMs: number;
}

/**
 * The progress of a connection after `sample`. A connection without queued bytes waits for nothing, so an idle
 * keep-alive connection and a request in progress always count as progress.
 */
export function updateProgress(
  previous: Progress,
  { takenBytes, queuedBytes, atMs }: OutputSample,
): Progress {
  const hasProgressed = queuedBytes === 0 || takenBytes !== previous.takenBytes;
  return hasProgressed ? { takenBytes, atMs } : previous;
}

/** Whether a connection has not taken any of its queued bytes for `timeoutMs`. */
export const isStalled = (progress: Progress, nowMs: number, timeoutMs: number): boolean =>
  nowMs - progress.atMs >= timeoutMs;
