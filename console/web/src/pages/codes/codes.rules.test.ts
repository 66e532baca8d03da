import { describe, expect, test } from 'vitest';
import { codeBody, countOf, initialCode, matchesCode, usesOf } from './codes.rules.ts';

describe('codeBody', () => {
  test('creates one code if it is chosen', () => {
    const values = { ...initialCode, count: 50, code: ' VIP ' };
    expect(countOf(values)).toBe(1);
    expect(codeBody(values)).toMatchObject({ count: 1, code: 'VIP' });
  });

  test('has no discount without its kind', () => {
    expect(codeBody(initialCode).discount).toBeNull();
    const percent = { ...initialCode, discountType: 'percent' as const, percent: 20 };
    expect(codeBody(percent).discount).toEqual({ type: 'percent', value: 20 });
  });
});

test.each([
  [
    { uses: 3, maxUses: 2, codes: 50 },
    { uses: 3, maxUses: 100 },
  ],
  [
    { uses: 3, maxUses: null, codes: 50 },
    { uses: 3, maxUses: null },
  ],
])('a batch %j has the uses %j', (batch, uses) => {
  expect(usesOf(batch)).toEqual(uses);
});

test.each<[Parameters<typeof matchesCode>[0], boolean]>([
  [{}, true],
  [{ text: ' friends ' }, true],
  [{ text: 'FRIENDS-10' }, true],
  [{ text: 'FRIENDS-100' }, false],
  [{ ticketTypeId: 'tt_1' }, true],
  [{ ticketTypeId: 'tt_2' }, false],
  [{ text: 'friends', ticketTypeId: 'tt_2' }, false],
])('matchesCode with %j of FRIENDS-10 for tt_1 is %s', (filter, matches) => {
  const code = { code: 'FRIENDS-10', registrationTypeId: 'tt_1' };
  expect(matchesCode(filter)(code)).toBe(matches);
});
