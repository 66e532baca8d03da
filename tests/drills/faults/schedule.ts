import type { SeededRandom } from '../history/random.ts';
import { fullDisk } from './disk.ts';
import type { Fault } from './fault.ts';
import { lockFaults } from './locks.ts';
import { notificationFaults } from './notifications.ts';
import { processFaults } from './processes.ts';
import { resyncAllProjections } from './projections.ts';
import { requestFaults } from './requests.ts';
import { serverFaults } from './servers.ts';

/** Every fault there is. */
export const allFaults: readonly Fault[] = [
  ...processFaults,
  ...serverFaults,
  ...lockFaults,
  fullDisk,
  ...notificationFaults,
  ...requestFaults,
  resyncAllProjections,
];

/** Each of these once, one at a time, in their order. */
export function* once(faults: readonly Fault[]): Generator<Fault[]> {
  for (const fault of faults) yield [fault];
}

/** Faults one after the other, each once before any comes again; now and then two that hurt different things. */
export function* scheduleFaults(
  random: SeededRandom,
  faults: readonly Fault[] = allFaults,
): Generator<Fault[]> {
  let deck: Fault[] = [];
  for (;;) {
    if (deck.length === 0) deck = random.shuffled(faults);
    const first = deck.shift() as Fault;
    const second = random.chance(0.25) && deck.find(({ target }) => target !== first.target);
    if (second) deck = deck.filter((fault) => fault !== second);
    yield second ? [first, second] : [first];
  }
}
