/** The change feed and the webhook endpoints. */
export const timeouts = {
  /**
   * Interval of reads of an owner's log without a notice. It bounds the lag while NATS is
   * unavailable.
   */
  pollIntervalMs: 1000,
  /** Pause after a failure to read an owner's log. The owner may be restarting. */
  retryPauseMs: 500,
  /**
   * Interval of comparisons of the publishers' lineages without a lost connection. A restore is
   * rare.
   */
  lineageIntervalMs: 60_000,
  /**
   * A waiting request ends this long after its first change. Changes of one command often come
   * together.
   */
  gatherMs: 500,
  /**
   * Shortest interval between two reads of a waiting request. A surge brings ten notices per
   * second, of changes that most filters omit.
   */
  readIntervalMs: 200,
  /**
   * Interval of checks for changes that another process has added. A notice of that process can be
   * lost.
   */
  waitPollIntervalMs: 1000,
  /** The feed keeps a change. Longer than any client should be away. */
  retentionMs: 90 * 24 * 3_600_000,
  /** Interval of the deletion of older changes. One deletion stays short. */
  cleanupIntervalMs: 10 * 60_000,
  /**
   * A replaced secret of a webhook endpoint signs. Its receiver needs time to install the new one.
   */
  secretOverlapMs: 24 * 3_600_000,
  /**
   * A ping of a pending webhook endpoint is retried. Its receiver may still have to be deployed.
   */
  pingRetryMs: 3_600_000,
  /** A process holds a webhook endpoint. Another one continues soon after the first has ended. */
  leaseMs: 10_000,
  /** Interval of renewals of the leases. Two can fail before a lease ends. */
  leaseRenewalIntervalMs: 3000,
  /**
   * The last part of a lease, in which its process begins no request. Its requests end before
   * another process sends.
   */
  leaseMarginMs: 1000,
  /**
   * Interval of searches for endpoints with something to send. It bounds the lag after a lost
   * notice.
   */
  deliveryPollIntervalMs: 1000,
  /**
   * Notices of new changes are gathered before such a search. One search serves the notices of many
   * units.
   */
  deliveryGatherMs: 10,
  /**
   * A process keeps an endpoint without anything to send. A busy endpoint stays with its process.
   */
  endpointIdleMs: 2000,
  /**
   * A connection to a webhook endpoint is established, TLS included. A later one would rarely
   * respond in time.
   */
  webhookConnectMs: 5000,
  /**
   * One attempt to resolve the name of a webhook endpoint. A second one fits into the time of the
   * connection.
   */
  webhookDnsMs: 2000,
  /** Attempts to resolve a name. A lost packet must not count as a failure of the endpoint. */
  webhookDnsAttempts: 2,
  /** A webhook endpoint responds. Receivers should store a change and process it afterwards. */
  webhookResponseMs: 15_000,
  /**
   * The body of a response is read. Only its status counts, and reading it lets the receiver end
   * its connection.
   */
  webhookBodyMs: 1000,
  /**
   * Requests to webhook endpoints end during a drain, otherwise they are repeated. The process
   * still stores their results.
   */
  deliveryDrainMs: 7000,
  /** Pause before the second attempt of a delivery. Most failures are short. */
  secondAttemptPauseMs: 5000,
  /** Pause before the third attempt. A restart of the receiver takes minutes. */
  thirdAttemptPauseMs: 5 * 60_000,
  /** Pause before the fourth attempt. A failed release of the receiver is put back meanwhile. */
  fourthAttemptPauseMs: 30 * 60_000,
  /** Pause before the fifth attempt. Attempts become rarer, because the outage is a long one. */
  fifthAttemptPauseMs: 2 * 3_600_000,
  /** Pause before the sixth attempt. It continues the series. */
  sixthAttemptPauseMs: 5 * 3_600_000,
  /** Pause before the seventh attempt. It continues the series. */
  seventhAttemptPauseMs: 10 * 3_600_000,
  /** Pause before the eighth attempt. It continues the series. */
  eighthAttemptPauseMs: 14 * 3_600_000,
  /** Pause before the ninth attempt. It continues the series. */
  ninthAttemptPauseMs: 20 * 3_600_000,
  /** Pause before the tenth and last attempt. All pauses are 75 hours, longer than a weekend. */
  tenthAttemptPauseMs: 24 * 3_600_000,
  /** Pause before the second ping of a pending endpoint. Most failures are short. */
  secondPingPauseMs: 5000,
  /** Pause before each later ping. Somebody may be correcting the receiver. */
  laterPingPauseMs: 5 * 60_000,
  /** The longest `Retry-After` that is followed. Longer ones would stop an endpoint by mistake. */
  maxRetryAfterMs: 24 * 3_600_000,
  /** An endpoint fails before it is disabled. Its receiver may be repaired after a weekend. */
  failingMs: 5 * 24 * 3_600_000,
  /**
   * Attempts of a delivery before its endpoint is disabled. One failure after a long silence is not
   * enough.
   */
  disablingAttempts: 4,
  /** Attempts of deliveries are stored. A month is enough to search for a missing one. */
  attemptRetentionMs: 30 * 24 * 3_600_000,
  /** Interval of the deletion of older attempts. One deletion stays short. */
  attemptCleanupIntervalMs: 10 * 60_000,
  /** Interval of reads of the metrics of endpoints. Alerts allow for minutes. */
  endpointMetricsIntervalMs: 10_000,
};
