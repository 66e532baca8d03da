import { expect, test } from 'vitest';
import { saleStatus, saleWindow } from './sale-window.rules.ts';

const [before, after] = ['2027-05-01T10:00:00Z', '2027-05-03T10:00:00Z'];

test.each([
  [null, null, []],
  [before, null, []],
  [after, null, ['from 3 May 2027, 10:00 UTC']],
  [before, after, ['until 3 May 2027, 10:00 UTC']],
  [before, before, ['ended 1 May 2027, 10:00 UTC']],
])('a sale from %s until %s is described by %j', (opensAt, closesAt, notes) => {
  expect(saleWindow({ opensAt, closesAt }, 'UTC', new Date('2027-05-02T10:00:00Z'))).toEqual(notes);
});

test.each([
  ['draft', 0, null, null, 'draft'],
  ['closed', 0, null, null, 'closed'],
  ['open', null, null, null, 'open'],
  ['open', 1, before, after, 'open'],
  ['open', 0, null, after, 'sold_out'],
  ['open', 5, after, null, 'scheduled'],
  ['open', 0, null, before, 'ended'],
] as const)(
  'a sale that is %s with %s seats left, from %s until %s, is shown as %s',
  (status, remaining, opensAt, closesAt, shown) => {
    const now = new Date('2027-05-02T10:00:00Z');
    expect(saleStatus({ status, remaining, opensAt, closesAt }, now)).toBe(shown);
  },
);
