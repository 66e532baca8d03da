import { expect, test } from 'vitest';
import { setRefundPolicy } from './refund-policies.ts';

const scope = { businessUnitId: 'unit_1', eventId: 'evt_1', text: 'Ask us' };

/** The problems of a policy with these bands, as an error names them. */
const issuesOf = (...bands: object[]) =>
  (setRefundPolicy.schema.body.safeParse({ ...scope, bands }).error?.issues ?? []).map(
    ({ path, message }) => [path.join('.'), message],
  );

const days = (daysBeforeStart: number, band: object = {}) => ({
  ...{ daysBeforeStart, percent: 50, ...band },
});
const notBoth = 'must be set, or until, and not both';

test.each([
  ['earlier and later ends', [days(14), days(3)], []],
  ['nothing at the end', [days(14), days(0, { percent: 0 })], []],
  ['a band without an end', [days(14), { percent: 0 }], [['bands.1.daysBeforeStart', notBoth]]],
  [
    'a band with two ends',
    [days(14, { until: '2027-05-10T09:00:00Z' })],
    [['bands.0.daysBeforeStart', notBoth]],
  ],
  [
    'a band that never applies, by the index of the other one',
    [days(14), days(3), days(7)],
    [
      [
        'bands.2.daysBeforeStart',
        'never applies: bands[1] ends no earlier and is for the same tickets',
      ],
    ],
  ],
])('a policy of %s', (_, bands, issues) => {
  expect(issuesOf(...bands)).toEqual(issues);
});
