export const timeouts = {
  /**
   * An update of a ticket type waits for registration to promote from the waitlist; registration
   * may use 80 % of it. The response then has the new counts, and otherwise registration promotes
   * when it projects the ticket type.
   */
  promotionMs: 500,
  /** Attempts to find a free public id. A random suffix rarely collides. */
  publicIdAttempts: 5,
};
