/**
 * The only place that reads the system clock. Decisions receive a `Clock` or an instant, so that
 * tests can set them.
 */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A fixed clock, for tests. */
export const fixedClock = (at: Date | string): Clock => ({ now: () => new Date(at) });
