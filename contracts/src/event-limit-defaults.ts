/** The number of orders that one email may hold in an event without a limit of its own. */
export const defaultMaxHoldsPerEmail = 100;

/**
 * How long a seat is offered to a waitlisted registration in an event without a time of its own.
 */
export const defaultWaitlistOfferMinutes = 24 * 60;
