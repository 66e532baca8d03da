import { expect, test } from 'vitest';
import { decideStep, filtersOf } from './search-rules.ts';

test.each([
  ['the first filter', undefined, { status: 'paid', pages: undefined }, 'push'],
  ['another letter of a search', 'q', { q: 'ada', pages: undefined }, 'replace'],
  ['another filter', 'q', { status: 'paid', pages: undefined }, 'push'],
  ['the same two filters', 'from,to', { to: '2027-05-02', from: '2027-05-01' }, 'replace'],
  ['more rows', undefined, { pages: '2' }, 'replace'],
  ['more rows of a search', 'q', { pages: '2' }, 'replace'],
] as const)('%s after %s: %o', (_, last, change, step) => {
  expect(decideStep(last, filtersOf(change))).toBe(step);
});
