import { setTimeout as delay } from 'node:timers/promises';
import type { FaultWindow } from '../history/responses.ts';
import { allServices } from './fault.ts';

const TICK_MS = 50;
/** Half of the shortest timeout after which a request fails: projectionTimeouts.refreshMs. */
const STALL_MS = 500;

/**
 * Records the times in which this process did not run, until `signal` is aborted. The machine was
 * paused or overloaded then, so timeouts of the platform ended although every part worked. The
 * drill does not inject this fault and cannot prevent it.
 */
export function watchMachine(signal: AbortSignal) {
  const stalls: FaultWindow[] = [];
  const watch = async () => {
    for (let last = performance.now(); !signal.aborted; ) {
      await delay(TICK_MS, undefined, { signal }).catch(() => {});
      const now = performance.now();
      if (now - last >= STALL_MS) stalls.push(stallOf(last, now));
      last = now;
    }
  };
  return { stalls, done: watch() };
}

const stallOf = (beganAt: number, recoveredAt: number): FaultWindow => ({
  fault: 'machine stalled',
  affects: [...allServices, 'provider'],
  beganAt,
  recoveredAt,
});
