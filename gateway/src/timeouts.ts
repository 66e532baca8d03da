export const timeouts = {
  /**
   * A service responds, otherwise 504. It is longer than the waits within a service, which then
   * names the cause.
   */
  upstreamMs: 8000,
  /** A connection to a service is established. Services are in the same network. */
  connectMs: 1000,
  /**
   * Requests to a service that does not respond are rejected at once, then one is sent. An outage
   * costs few requests the whole timeout, and ends within a second of the service's return.
   */
  breakerPauseMs: 1000,
  /** A client takes none of its response during a drain. The drain must end in time. */
  drainStallMs: 3000,
  /** Shortest interval of checks for stalled clients. More checks would only cost time. */
  stallCheckMinIntervalMs: 20,
  /**
   * A request waits for its turn, otherwise 503. Its client still waits, and a retry would wait
   * again.
   */
  turnMaxWaitMs: 5000,
  /**
   * The rate limiter waits for Redis, then counts by itself. A slow Redis must not slow down every
   * request.
   */
  rateLimitMs: 50,
  /**
   * Redis counts as hanging when no call has completed. One slow response alone does not show that.
   */
  redisHangsAfterMs: 250,
  /**
   * The rate limiter does not call Redis after a failure. An outage costs one timeout now and then.
   */
  redisPauseMs: 1000,
  /** The window of budgets of requests per second. Bursts are spread over a second. */
  budgetWindowMs: 1000,
  /** Interval of polls for changed API keys. A revocation takes effect within a second. */
  keyPollIntervalMs: 500,
  /** A poll reads the changes of this time. A late poll misses none. */
  keyChangeWindowSeconds: 5,
  /**
   * Longest gap between two polls, after which all keys are read again. The window covers it with a
   * margin.
   */
  keySafeGapMs: 2500,
  /** Cached API keys stay valid without the database. Requests go on during a failover. */
  keyTrustWithoutDatabaseMs: 5 * 60_000,
  /**
   * An unknown key stays cached. A client that repeats it costs no look-ups; a new key is found by
   * the poll.
   */
  unknownKeyTtlMs: 10_000,
  /** A pairing code is valid. A volunteer scans the QR while a person holds it up. */
  pairingCodeMs: 10 * 60_000,
  /** The token of a device is valid. A lost phone checks nobody in on the next day. */
  deviceTokenMs: 24 * 3_600_000,
  /**
   * A device that stays paired for the event is valid after its end. Devices without a network send
   * their last scans.
   */
  deviceAfterEventMs: 12 * 3_600_000,
  /**
   * Longest time that a device is valid. A fair lasts days; a phone that is lost for months must not
   * check anyone in.
   */
  deviceTokenMaxMs: 31 * 24 * 3_600_000,
  /**
   * An expired device is kept. An installation that is paired again in this time is the same
   * device.
   */
  deviceRetentionSeconds: 30 * 24 * 3600,
  /**
   * Interval of reports of what business units use. An operator sees the present, and Redis gets one
   * call.
   */
  usageReportIntervalMs: 5000,
  /** The usage of business units is counted in steps of this length. Limits are per minute. */
  usageMinuteMs: 60_000,
  /** The reported usage is kept. It shows the present; dashboards show the past. */
  usageRetentionMs: 20 * 60_000,
  /** Redis responds to an operator who reads the usage, otherwise 503. It reads all of it at once. */
  usageRedisMs: 2000,
  /** Interval of the deletion of expired devices. One deletion stays short. */
  deviceCleanupIntervalMs: 10 * 60_000,
  /**
   * Catalog or onsite responds with the event of a device. It responds within it while its own
   * calls fail.
   */
  deviceEventMs: 5000,
  /**
   * A browser repeats no preflight of a claim. Its response changes with a release only, and browsers
   * wait two hours at most.
   */
  preflightSeconds: 7200,
};
