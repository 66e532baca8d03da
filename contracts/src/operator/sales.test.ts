import { expect, test } from 'vitest';
import { summarizeSales } from './sales.ts';

const issuesOf = (period: object) =>
  summarizeSales.schema.body
    .safeParse({ businessUnitId: 'unit_1', by: 'day', ...period })
    .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

test.each([
  { from: '2027-05-01', to: '2027-05-02' },
  { from: '2028-02-29', to: '2029-04-04' },
])('accepts the period %j', (period) => {
  expect(issuesOf(period)).toEqual([]);
});

const notADate = 'must be a date in the years 1970 to 2999, such as 2027-05-10';

test.each([
  [{ from: '2027-05-01', to: '2027-05-01' }, ['to must be after from']],
  [{ from: '2027-05-02', to: '2027-05-01' }, ['to must be after from']],
  [{ from: '2028-02-29', to: '2029-04-05' }, ['to must be at most 400 days after from']],
  [{ from: '2027-02-29', to: '2027-05-01' }, [`from ${notADate}`]],
  [{ from: '2027-05-01T00:00:00Z', to: '27-5-1' }, [`from ${notADate}`, `to ${notADate}`]],
])('rejects the period %j', (period, issues) => {
  expect(issuesOf(period)).toEqual(issues);
});
