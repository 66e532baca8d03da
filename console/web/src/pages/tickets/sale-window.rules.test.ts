import { expect, test } from 'vitest';
import { saleWindow } from './sale-window.rules.ts';

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
