/** The change feed and the webhook endpoints. */
export const timeouts = {
  /** Interval of reads of an owner's log without a notice. It bounds the lag while NATS is unavailable. */
  pollIntervalMs: 1000,
  /** Pause after a failure to read an owner's log. The owner may be restarting. */
  retryPauseMs: 500,
  /** Interval of comparisons of the publishers' lineages without a lost connection. A restore is rare. */
  lineageIntervalMs: 60_000,
  /** A waiting request ends this long after its first change. Changes of one command often come together. */
  gatherMs: 500,
  /** Interval of checks for changes that another process has added. A notice of that process can be lost. */
  waitPollIntervalMs: 1000,
  /** The feed keeps a change. Longer than any client should be away. */
  retentionMs: 90 * 24 * 3_600_000,
  /** Interval of the deletion of older changes. One deletion stays short. */
  cleanupIntervalMs: 10 * 60_000,
  /** A replaced secret of a webhook endpoint signs. Its receiver needs time to install the new one. */
  secretOverlapMs: 24 * 3_600_000,
  /** A ping of a pending webhook endpoint is retried. Its receiver may still have to be deployed. */
  pingRetryMs: 3_600_000,
};
