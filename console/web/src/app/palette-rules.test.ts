import { describe, expect, test } from 'vitest';
import { eventsToSearch, inTurns, searchedEvents, withoutSimilar } from './palette-rules.ts';

const now = new Date('2027-05-10T12:00:00Z');
const event = (id: string, startsAt: string | null, status = 'published') =>
  ({ id, name: id, status, startsAt }) as Parameters<typeof eventsToSearch>[0][number];

describe('eventsToSearch', () => {
  test.each([
    ['no events', [], []],
    [
      'the nearest start first, before or after now',
      [
        event('next year', '2028-05-10T09:00:00Z'),
        event('yesterday', '2027-05-09T09:00:00Z'),
        event('tomorrow', '2027-05-11T15:00:00Z'),
      ],
      ['yesterday', 'tomorrow', 'next year'],
    ],
    [
      'a new draft without dates last, so that it hides no conference',
      [event('draft', null, 'draft'), event('last year', '2026-05-10T09:00:00Z')],
      ['last year', 'draft'],
    ],
    ['no archived event', [event('archived', '2027-05-10T09:00:00Z', 'archived')], []],
  ])('returns %s', (_, events, ids) => {
    expect(eventsToSearch(events, now).map(({ id }) => id)).toEqual(ids);
  });

  test('returns ten events at most', () => {
    const events = Array.from({ length: 30 }, (_, index) => event(String(index), null));
    expect(eventsToSearch(events, now)).toHaveLength(searchedEvents);
  });
});

test.each([
  ['names', [null, 'name', 'similarName', 'emailPart'], [null, 'name', 'emailPart']],
  ['only similar names', [null, 'similarName'], [null, 'similarName']],
  ['nothing', [null, null], [null, null]],
] as const)('withoutSimilar of events with %s', (_, found, expected) => {
  const results = found.map((foundBy) => ({ foundBy }));
  expect(withoutSimilar(results).map(({ foundBy }) => foundBy)).toEqual(expected);
});

test.each([
  [[], []],
  [
    [['a1', 'a2', 'a3'], ['b1'], []],
    ['a1', 'b1', 'a2'],
  ],
  [[['a1', 'a2']], ['a1', 'a2']],
])('inTurns of %j with at most three entries is %j', (lists, entries) => {
  expect(inTurns<string>(lists, 3)).toEqual(entries);
});
