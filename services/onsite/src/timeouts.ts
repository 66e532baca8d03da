/**
 * Timeouts of a scan. They are short because attendees wait at the door; other requests use the
 * runtime's.
 */
export const timeouts = {
  /** A check-in waits for the projections. Registration is called when they are not up to date. */
  readAfterMs: 100,
  /**
   * Catalog or registration returns an event or a badge for a check-in. If it does not respond, the
   * projection decides.
   */
  ownerMs: 300,
  /**
   * Registration returns the badges of a batch of scans. No attendee waits for it, and unknown
   * badges are sent again.
   */
  badgesMs: 1000,
  /**
   * Attempts of an insert whose conflicting check-in is undone before it is read. Each one needs
   * another undo of the same badge.
   */
  insertAttempts: 5,
  /**
   * Attempts of a batch of scans whose door another scan passes meanwhile. Each one needs another
   * check-in of a badge of the batch.
   */
  batchAttempts: 10,
  /**
   * A batch of scans waits for the batches before it, otherwise 503. The device keeps its scans and
   * sends them again.
   */
  batchMaxWaitMs: 2000,
  /**
   * The pause after a batch of scans while more wait. A batch takes a tenth of a second; one that
   * took longer has waited for a lock.
   */
  batchMaxPauseMs: 250,
  /**
   * Interval of reads of a summary that requests wait for. A screen shows a check-in at once, and
   * each event costs four reads a second.
   */
  summaryIntervalMs: 250,
  /**
   * A process remembers the check-ins per minute of an event. A line of half an hour looks the
   * same, and many operators watch it.
   */
  ratesTtlMs: 2000,
  /**
   * A roster repeats the check-ins that have changed within this time before the former one. A
   * transaction commits sooner after its change.
   */
  rosterOverlapMs: 10_000,
  /**
   * Two scans this near to each other have no order, although their clocks are right. The way of a
   * batch takes time, too.
   */
  scanToleranceMs: 2000,
  /**
   * The results of scans are kept. A device that was offline for longer than an event sends none
   * again.
   */
  scanRetentionMs: 90 * 24 * 60 * 60_000,
  /**
   * Interval of writes of when devices were seen. A storm of scans costs one statement per
   * interval.
   */
  sightingIntervalMs: 5000,
  /**
   * What is known about a device is kept after its last request. It is as long as for the results
   * of its scans.
   */
  deviceRetentionMs: 90 * 24 * 60 * 60_000,
  /** Interval of deletions of old scans and devices. An hour more or less does not matter. */
  scanCleanupIntervalMs: 60 * 60_000,
  /**
   * Interval of log lines about decisions without registration. A storm of scans must not fill the
   * log.
   */
  fallbackLogIntervalMs: 10_000,
};
