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
    ownRegistrationId: null,
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
    ['a used code', { uses: 1 }, 'invalid'],
    ['the own used code', { uses: 1, ownRegistrationId: 'reg_1' }, 'found'],
    ['the own disabled code', { status: 'disabled', ownRegistrationId: 'reg_1' }, 'found'],
    ['the own expired code', { expiresAt: now, ownRegistrationId: 'reg_1' }, 'found'],
    [
      'the own code of an archived type',
      { ownRegistrationId: 'reg_1', ...ofType('archived') },
      'not_offered',
    ],
  ])('of %s', (_what, fields, outcome) => {
    expect(decideLookup({ ...row, ...fields }).outcome).toBe(outcome);
  });

  test('of no code is invalid', () => {
    expect(decideLookup(null)).toEqual({ outcome: 'invalid' });
  });
});
