export const timeouts = {
  /** An operator command responds. A resync of large projections takes its time. */
  requestMs: 30_000,
  /**
   * Redis connects and responds to a call. A command may take longer than a request at the gateway.
   */
  redisMs: 1000,
};
