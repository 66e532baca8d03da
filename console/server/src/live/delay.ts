import { timeouts } from '../timeouts.ts';

/**
 * How much later than the first watcher of an event the watcher at this position gets each message,
 * in milliseconds. Fifty streams that are written at once, and the reads that follow in their
 * browsers, would occupy a processor that a door needs at this moment.
 */
export const delayOf = (position: number): number =>
  (position * timeouts.livePaceMs) % timeouts.liveSpreadMs;
