/** The one place that reads the machine's clock; everything else is handed a `Clock`. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still, for tests. */
export const fixedClock = (at: Date | string): Clock => ({ now: () => new Date(at) });
