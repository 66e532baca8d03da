import { discountedPrice } from '@event-api/contracts/http/redemption-codes';
import { describe, expect, test } from 'vitest';
import type { LookupRow } from './redemption-codes.queries.ts';
import {
  codeKey,
  codesToCreate,
  decideCodeTarget,
  decideLookup,
  isValidExpiry,
  lookupKey,
} from './redemption-codes.rules.ts';

const percent = (value: number) => ({ type: 'percent', value }) as const;
const amount = (value: number) => ({ type: 'amount', value }) as const;

describe('the price after a discount', () => {
  test.each([
    [0, percent(1), 0],
    [0, percent(100), 0],
    [1, percent(1), 1],
    [1, percent(49), 1],
    [1, percent(50), 0],
    [1, percent(51), 0],
    [3, percent(50), 1],
    [5, percent(10), 4],
    [10, percent(5), 9],
    [15, percent(10), 13],
    [25, percent(10), 22],
    [49, percent(1), 49],
    [50, percent(1), 49],
    [149, percent(1), 148],
    [150, percent(1), 148],
    [999, percent(33), 669],
    [1000, percent(33), 670],
    [9900, percent(15), 8415],
    [99_999_999, percent(1), 98_999_999],
    [99_999_999, percent(99), 1_000_000],
    [100_000_000, percent(1), 99_000_000],
    [100_000_000, percent(100), 0],
  ])('of %i less %j is %i: the discount is rounded half up', (price, discount, expected) => {
    expect(discountedPrice(price, discount)).toBe(expected);
  });

  test.each([
    [0, 1, 0],
    [1, 1, 0],
    [1, 2, 0],
    [1000, 1, 999],
    [1000, 1000, 0],
    [1000, 1001, 0],
    [100_000_000, 99_999_999, 1],
  ])('of %i less the amount %i is %i, never below 0', (price, less, expected) => {
    expect(discountedPrice(price, amount(less))).toBe(expected);
  });

  test('without a discount is the price', () => {
    expect([0, 1, 100_000_000].map((price) => discountedPrice(price, null))).toEqual([
      0, 1, 100_000_000,
    ]);
  });
});

describe('the key of a code', () => {
  test('is the same in either case of its letters', () => {
    expect(['abc-1', 'ABC-1', ' aBc-1 '].map(codeKey)).toEqual(['ABC-1', 'ABC-1', 'ABC-1']);
  });

  test.each([
    [undefined],
    [''],
    ['  '],
    ['a\0'],
    ['\0'],
    ['two words'],
    ['ß'],
    ['ſ'],
    ['\u212a'],
    ['x'.repeat(65)],
    ['\ud800'],
  ])('of the lookup input %j is one that no code has', (input) => {
    expect(lookupKey(input)).toBe('');
  });
});

describe('the number of codes', () => {
  test.each([
    [{ count: 1 }, 1],
    [{ count: 1000 }, 1000],
    [{ count: 1, code: 'MINE' }, 1],
    [{ count: 1000, code: 'MINE' }, 1],
  ])('of %j is %i', (input, expected) => {
    expect(codesToCreate(input)).toBe(expected);
  });
});

describe('the target of a new code', () => {
  test.each([
    ['published', 'draft', 'valid'],
    ['published', 'open', 'valid'],
    ['draft', 'closed', 'valid'],
    ['published', 'archived', 'type_archived'],
    ['archived', 'archived', 'event_archived'],
    ['archived', 'open', 'event_archived'],
  ] as const)('in a %s event with a %s type is %s', (eventStatus, typeStatus, expected) => {
    expect(decideCodeTarget({ eventStatus, typeStatus })).toBe(expected);
  });

  test('that the event does not have is unknown', () => {
    expect(decideCodeTarget(null)).toBe('type_unknown');
  });
});

describe('the expiry of a new code', () => {
  const now = new Date('2027-05-10T07:00:00Z');

  test.each([
    ['is invalid before now', -1, false],
    ['is invalid at this instant', 0, false],
    ['is valid after now', 1, true],
  ])('%s', (_when, ms, isValid) => {
    expect(isValidExpiry(new Date(now.getTime() + ms), now)).toBe(isValid);
  });
});

describe('a lookup', () => {
  const now = new Date('2027-05-10T07:00:00Z');
  const row = {
    ticketTypeId: 'tt_1',
    status: 'active',
    expiresAt: null,
    maxUses: 1,
    uses: 0,
    now,
    eventStatus: 'published',
    type: { status: 'open' },
  } as LookupRow;
  const ofType = (status: string) => ({ type: { ...row.type, status } }) as Partial<LookupRow>;

  test.each<[string, Partial<LookupRow>, string]>([
    ['a usable code', {}, 'found'],
    ['a draft type', ofType('draft'), 'found'],
    ['a closed type', ofType('closed'), 'found'],
    ['an archived type', ofType('archived'), 'not_offered'],
    ['an archived event', { eventStatus: 'archived' }, 'not_offered'],
    ['a type that is missing in the projection', { type: null }, 'not_offered'],
    ['a disabled code', { status: 'disabled' }, 'invalid'],
    ['an expired code', { expiresAt: now }, 'invalid'],
    ['a used code of an archived type', { uses: 1, ...ofType('archived') }, 'invalid'],
  ])('of %s', (_what, fields, outcome) => {
    expect(decideLookup({ ...row, ...fields }).outcome).toBe(outcome);
  });

  test('of no code is invalid', () => {
    expect(decideLookup(null)).toEqual({ outcome: 'invalid' });
  });
});
