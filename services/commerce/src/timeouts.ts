export const timeouts = {
  /** A request of the payment provider, otherwise 503. It ends before the gateway gives up. */
  providerRequestMs: 5000,
  /**
   * A cancellation or an expired hold waits for the provider. The sweep expires the payment
   * session later.
   */
  expirePaymentMs: 1000,
  /**
   * Attempts to place an order with one request. Each one uses the next id of the request: an
   * interrupted run leaves a closed reservation under the id that it used.
   */
  placeAttempts: 20,
  /**
   * Attempts of a confirmation when the order changes between its read and the write. An order
   * changes a few times.
   */
  confirmAttempts: 5,
  /**
   * A payment session of Stripe outlives its hold. Stripe requires 30 minutes even at the end of
   * the hold.
   */
  stripeSessionExtraSeconds: 35 * 60,
  /**
   * Difference of clocks that signatures of notifications tolerate. Stripe recommends it; it also
   * limits a replay.
   */
  signatureToleranceSeconds: 300,
  /**
   * Longest interval of sums of all sales of an event, for which requests wait. A page reads them
   * again after each change, and many operators watch one event.
   */
  eventSalesIntervalMs: 2000,
  /**
   * How long the answer that an order can be delivered counts while no registration changes. The
   * projections, which show the changes, can stop.
   */
  deliverableMs: 30_000,
  /**
   * A change of an order waits for the refunds of its seats. The sweep sends what is left.
   */
  sendRefundsMs: 2000,
  /**
   * How long one replica continues the cancellation of an event before another one may. It limits
   * the pause after the end of a process; two replicas at once do no harm.
   */
  cancellationLeaseMs: 10_000,
  /**
   * How long an attempt begins orders and refunds of an event. What it has begun then ends within
   * the lease: a request of the provider takes 5 seconds at most.
   */
  cancellationBudgetMs: 4000,
  /** Pause of a cancellation after a failure. Another service or the provider is unavailable. */
  cancellationRetryMs: 2000,
  /**
   * First pause before a finished cancellation is looked at again, for payments that arrive late.
   * A provider repeats a notification for minutes.
   */
  cancellationRevisitMs: 60_000,
  /**
   * How long after its end a day of the journal is closed. The clock of a process or of a promoted
   * database server may differ by seconds.
   */
  journalMarginMs: 10 * 60_000,
  /**
   * Pause between looks for days of the journal to close. A day is closed once, and nobody waits
   * for it.
   */
  journalIntervalMs: 10 * 60_000,
  /**
   * How long before a day the provider may have moved what is posted on it. A provider repeats a
   * notification for three days.
   */
  reconcileBeforeMs: 3 * 24 * 3_600_000,
  /** How long after a day the provider may move what is posted on it. Its clock differs by seconds. */
  reconcileAfterMs: 24 * 3_600_000,
  /**
   * How old a day is at most that the job reconciles. An account whose key is invalid for longer
   * needs an operator.
   */
  reconcileDueMs: 30 * 24 * 3_600_000,
  /** An identical refund is rejected. An operator who repeats a command does not refund twice. */
  duplicateRefundMs: 10 * 60_000,
};
