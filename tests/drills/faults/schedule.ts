import type { SeededRandom } from '@event-api/platform/testing/random';
import { fullDisk } from './disk.ts';
import type { Fault } from './fault.ts';
import { lockFaults } from './locks.ts';
import { notificationFaults } from './notifications.ts';
import { processFaults } from './processes.ts';
import { resyncAllProjections } from './projections.ts';
import { requestFaults } from './requests.ts';
import { serverFaults } from './servers.ts';

/** All faults of the random drill. */
export const allFaults: readonly Fault[] = [
  ...processFaults,
  ...serverFaults,
  ...lockFaults,
  fullDisk,
  ...notificationFaults,
  ...requestFaults,
  resyncAllProjections,
];

/** Yields each fault once, one at a time, in the given order. */
export function* once(faults: readonly Fault[]): Generator<Fault[]> {
  for (const fault of faults) yield [fault];
}

/**
 * Yields faults in random order, each once before any is repeated. Sometimes it yields two faults
 * with different targets at once.
 */
export function* scheduleFaults(
  random: SeededRandom,
  faults: readonly Fault[] = allFaults,
): Generator<Fault[]> {
  let remaining: Fault[] = [];
  for (;;) {
    if (remaining.length === 0) remaining = random.shuffled(faults);
    const first = remaining.shift() as Fault;
    const second = random.chance(0.25) && remaining.find(({ target }) => target !== first.target);
    if (second) remaining = remaining.filter((fault) => fault !== second);
    yield second ? [first, second] : [first];
  }
}
