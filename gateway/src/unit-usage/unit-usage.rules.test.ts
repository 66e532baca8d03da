import { describe, expect, test } from 'vitest';
import {
  countUse,
  createUsageCounts,
  lastCompleteMinute,
  ranksOf,
  reportFields,
  startOf,
  summarize,
} from './unit-usage.rules.ts';

/** Counts what each unit has used and returns the report. */
function reported(
  uses: Record<string, { requests?: number; refused?: number; busyMs?: number }>,
): Record<string, string> {
  const counts = createUsageCounts();
  for (const [subject, { requests = 1, refused = 0, busyMs = 0 }] of Object.entries(uses)) {
    const [businessUnitId = '', credentialId = 'key_1'] = subject.split('/');
    for (let i = 0; i < requests; i++)
      countUse(counts, { businessUnitId, credentialId }, { isRefused: i < refused, busyMs });
  }
  return Object.fromEntries([...reportFields(counts)].map(([field, by]) => [field, String(by)]));
}

test('a summary adds up units and their credentials from several gateways', () => {
  const one = reported({
    'unit_a/key_1': { requests: 3, refused: 1, busyMs: 10 },
    'unit_a/dev_1': { requests: 2 },
    'unit_b/key_2': { requests: 1, busyMs: 5 },
  });
  const other = reported({ 'unit_b/key_2': { requests: 9, refused: 9 } });
  expect(summarize([one, other])).toEqual({
    all: { requests: 15, refused: 10, busyMs: 35 },
    units: [
      {
        businessUnitId: 'unit_b',
        requests: 10,
        refused: 9,
        busyMs: 5,
        credentials: [{ id: 'key_2', requests: 10, refused: 9, busyMs: 5 }],
      },
      {
        businessUnitId: 'unit_a',
        requests: 5,
        refused: 1,
        busyMs: 30,
        credentials: [
          { id: 'key_1', requests: 3, refused: 1, busyMs: 30 },
          { id: 'dev_1', requests: 2, refused: 0, busyMs: 0 },
        ],
      },
    ],
  });
});

test('a summary ignores what a later release reports', () => {
  const { all, units } = summarize([{ 'unit_a:bytes': '7', 'all:requests': '1' }]);
  expect({ all, units }).toEqual({ all: { requests: 1, refused: 0, busyMs: 0 }, units: [] });
});

describe('memory is bounded', () => {
  test('a gateway counts 2,000 units, and all requests in the sum', () => {
    const counts = createUsageCounts();
    for (let i = 0; i < 5000; i++)
      countUse(
        counts,
        { businessUnitId: `unit_${i}`, credentialId: `key_${i}` },
        { isRefused: false, busyMs: 1 },
      );
    expect(counts.units.size).toBe(2000);
    expect(counts.credentials.size).toBe(2000);
    expect(counts.all.requests).toBe(5000);
  });

  test('a report has the 100 units with the most requests and those with the most time', () => {
    const uses = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [
        `unit_${i}`,
        { requests: i < 100 ? 3 : 1, busyMs: i >= 400 ? 50 : 1 },
      ]),
    );
    const { units, all } = summarize([reported(uses)]);
    const expected = [...Array(100).keys(), ...Array.from({ length: 100 }, (_, i) => 400 + i)];
    expect(units.map(({ businessUnitId }) => businessUnitId).toSorted()).toEqual(
      expected.map((i) => `unit_${i}`).toSorted(),
    );
    expect(all.requests).toBe(700);
  });
});

describe('ranks', () => {
  test('show the first five units, and the others together', () => {
    const requests = [40, 30, 20, 10, 5, 4, 3];
    const uses = Object.fromEntries(requests.map((count, i) => [`unit_${i}`, { requests: count }]));
    expect(ranksOf(summarize([reported(uses)]))).toEqual([
      { rank: '1', requests: 40 },
      { rank: '2', requests: 30 },
      { rank: '3', requests: 20 },
      { rank: '4', requests: 10 },
      { rank: '5', requests: 5 },
      { rank: 'rest', requests: 7 },
    ]);
  });

  test('are zero without requests', () => {
    expect(ranksOf(summarize([])).map(({ requests }) => requests)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

test.each([
  [0, 9],
  [9_999, 9],
  [10_000, 10],
  [59_999, 10],
])('%d ms after the start of a minute, reports are complete up to minute %d', (ms, expected) => {
  const now = new Date(startOf(11).getTime() + ms);
  expect(lastCompleteMinute(now, 10_000)).toBe(expected);
});
