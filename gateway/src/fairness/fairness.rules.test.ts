import { describe, expect, test } from 'vitest';
import { decideEntry, nextUnit } from './fairness.rules.ts';

const limits = { maxInFlight: 10, maxInFlightPerUnit: 4, maxWaitingPerUnit: 3 };

describe('a request that arrives', () => {
  test.each([
    ['proceeds on an idle service', { inFlight: 0, ofUnit: 0, waitingOfUnit: 0 }, 'proceed'],
    ['proceeds below both limits', { inFlight: 9, ofUnit: 3, waitingOfUnit: 0 }, 'proceed'],
    ['waits at the limit of its unit', { inFlight: 4, ofUnit: 4, waitingOfUnit: 0 }, 'wait'],
    ['waits at the limit of the service', { inFlight: 10, ofUnit: 0, waitingOfUnit: 0 }, 'wait'],
    ['waits behind requests of its unit', { inFlight: 0, ofUnit: 0, waitingOfUnit: 1 }, 'wait'],
    ['is rejected if too many wait', { inFlight: 4, ofUnit: 4, waitingOfUnit: 3 }, 'reject'],
    ['is rejected before it waits', { inFlight: 0, ofUnit: 0, waitingOfUnit: 3 }, 'reject'],
  ])('%s', (_case, load, outcome) => {
    expect(decideEntry(load, limits)).toEqual({ outcome });
  });
});

describe('the next unit', () => {
  test.each([
    ['is the first in turn', ['a', 'b'], { inFlight: 9, a: 3, b: 0 }, 'a'],
    ['is not one at its own limit', ['a', 'b'], { inFlight: 9, a: 4, b: 3 }, 'b'],
    ['is none while the service is full', ['a', 'b'], { inFlight: 10, a: 0, b: 0 }, null],
    ['is none if all are at their limits', ['a', 'b'], { inFlight: 8, a: 4, b: 4 }, null],
    ['is none if none waits', [], { inFlight: 0 }, null],
  ])('%s', (_case, inTurn, { inFlight, ...byUnit }, expected) => {
    const ofUnit = (unit: string) => (byUnit as Record<string, number>)[unit] ?? 0;
    expect(nextUnit(inTurn, { inFlight, ofUnit }, limits)).toBe(expected);
  });
});
