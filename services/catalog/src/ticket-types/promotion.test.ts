import { describe, expect, test } from 'vitest';
import { mayPromote } from './ticket-types.rules.ts';

const type = {
  status: 'open',
  capacity: 3,
  allowWaitlist: true,
  confirmed: 1,
  waitlisted: 2,
} as const;

type Case = [
  what: string,
  before: number | null | Parameters<typeof mayPromote>[0],
  patch: Parameters<typeof mayPromote>[1],
  after: Partial<Parameters<typeof mayPromote>[2]>,
  countsAreStale: boolean,
];

/** Before the update. A type has no capacity group unless the case says so. */
const stateOf = (before: Case[1]): Parameters<typeof mayPromote>[0] =>
  typeof before === 'object' && before !== null
    ? before
    : { capacity: before, capacityGroupId: null };

describe('mayPromote returns true', () => {
  test.each<Case>([
    ['when it raises the capacity', 1, { capacity: 3 }, {}, false],
    ['when it removes the limit', 1, { capacity: null }, { capacity: null }, false],
    ['when it repeats the capacity', 3, { capacity: 3 }, {}, false],
    ['when it repeats that there is no limit', null, { capacity: null }, { capacity: null }, false],
    ['when the type is closed', 1, { capacity: 3 }, { status: 'closed' }, false],
    ['when it removes the price', 3, { priceAmount: 0 }, {}, false],
    [
      'when it leaves a capacity group, whose other types may have a waitlist',
      { capacity: 3, capacityGroupId: 'cgp_1' },
      { capacityGroupId: null },
      { allowWaitlist: false, confirmed: 3, waitlisted: 0 },
      false,
    ],
    [
      'when it removes the price and lowers the capacity',
      5,
      { priceAmount: 0, capacity: 3 },
      {},
      false,
    ],
    [
      'when registrations are waitlisted and the waitlist is closed',
      1,
      { capacity: 3 },
      { allowWaitlist: false },
      false,
    ],
    [
      'when registrations may have joined the waitlist',
      1,
      { capacity: 3 },
      { waitlisted: 0 },
      false,
    ],
    [
      'when the counts are stale, regardless of their values',
      1,
      { capacity: 3 },
      { allowWaitlist: false, confirmed: 9, waitlisted: 0 },
      true,
    ],
  ])('%s', (_what, before, patch, after, countsAreStale) => {
    expect(mayPromote(stateOf(before), patch, { ...type, ...after }, countsAreStale)).toBe(true);
  });

  test.each<Case>([
    ['when it repeats that it has no capacity group', 3, { capacityGroupId: null }, {}, true],
    [
      'when it repeats its capacity group',
      { capacity: 3, capacityGroupId: 'cgp_1' },
      { capacityGroupId: 'cgp_1' },
      {},
      true,
    ],
    ['when it does not name the capacity', 3, { name: 'Late bird' }, {}, true],
    ['when it changes the price', 3, { priceAmount: 100 }, {}, true],
    [
      'when it removes the price and all seats are taken',
      3,
      { priceAmount: 0 },
      { confirmed: 3 },
      false,
    ],
    ['when it only changes the status', 3, { status: 'closed' }, { status: 'closed' }, true],
    ['when it lowers the capacity', 5, { capacity: 3 }, {}, true],
    ['when it sets a limit', null, { capacity: 3 }, {}, true],
    ['when the type is a draft', 1, { capacity: 3 }, { status: 'draft' }, true],
    ['when the type is archived', 1, { capacity: 3 }, { status: 'archived' }, true],
    [
      'when the waitlist is empty and closed',
      1,
      { capacity: 3 },
      { allowWaitlist: false, waitlisted: 0 },
      false,
    ],
    ['when all seats are taken', 1, { capacity: 3 }, { confirmed: 3 }, false],
  ])('returns false %s', (_what, before, patch, after, countsAreStale) => {
    expect(mayPromote(stateOf(before), patch, { ...type, ...after }, countsAreStale)).toBe(false);
  });
});
