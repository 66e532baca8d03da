export const timeouts = {
  /** The platform accepts a notification. The gateway responds earlier, also when it gives up. */
  notificationMs: 10_000,
  /**
   * Attempts of a notification. Together they take about an hour, and the platform returns within
   * that time.
   */
  notificationAttempts: 60,
  /**
   * Shortest pause between two attempts; each further one is twice as long. A restart of the
   * platform is short.
   */
  notificationMinBackoffMs: 200,
  /** Longest pause between two attempts. A payment is known soon after a long outage. */
  notificationMaxBackoffMs: 60_000,
};
