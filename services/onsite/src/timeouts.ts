/**
 * Timeouts of a scan, in milliseconds. They are short because attendees wait at the door. Other requests use the
 * default of one second.
 */
export const doorTimeouts = {
  /** For the projections to reach the read-after token of the request. */
  readAfterMs: 100,
  /**
   * For catalog or registration to return a badge or record, before a scan is rejected because of a projection.
   */
  ownerMs: 300,
};
