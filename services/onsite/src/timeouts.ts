/**
 * Timeouts of a scan, in milliseconds. They are short because attendees wait at the door. Other requests use the
 * default of one second.
 */
export const doorTimeouts = {
  /** For the projections to reach the read-after token of the request. */
  readAfterMs: 100,
  /** For the owner of a record to respond, before a rejection that depends on projections. */
  ownerMs: 300,
};
