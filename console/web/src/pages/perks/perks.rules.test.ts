import { describe, expect, test } from 'vitest';
import type { Perk, Session, Venue } from '../../api/records.ts';
import {
  decideEntry,
  deliveredBy,
  doorsOf,
  type Entry,
  markedIn,
  summarizeEntry,
  type Target,
  withMarks,
} from './perks.rules.ts';

const perk = (id: string, targets: string[]) =>
  ({ id, bindings: targets.map((targetId) => ({ targetId })) }) as unknown as Perk;
const venue = (perkIds: string[]) => ({ id: 'ven', name: 'Lounge', perkIds }) as unknown as Venue;
const session = (perkIds: string[], venueId: string | null) =>
  ({ id: 'ses', title: 'Talk', perkIds, venueId }) as unknown as Session;

test('deliveredBy merges the bindings of tickets, add-ons and codes', () => {
  const code = { id: 'code', code: 'VIP', label: null, perkIds: ['a'] };
  const delivered = deliveredBy([perk('a', ['tt']), perk('b', ['tt', 'addon'])], [code]);
  expect(delivered).toEqual(
    new Map([
      ['tt', new Set(['a', 'b'])],
      ['addon', new Set(['b'])],
      ['code', new Set(['a'])],
    ]),
  );
});

test('who gets in follows the marks that the tables show, before they are saved', () => {
  const perks = [perk('a', []), perk('b', [])];
  const rooms = [venue([])];
  const talks = [session(['b'], 'ven')];
  const isOn = (rowId: string, perkId: string) => rowId === 'ven' && perkId === 'a';
  const marks = markedIn(doorsOf(rooms, talks), perks, isOn);
  expect(doorsOf(withMarks(rooms, marks), withMarks(talks, marks))).toMatchObject([
    { type: 'venue', perkIds: ['a'], gates: [['a']] },
    { type: 'session', perkIds: [], gates: [[], ['a']] },
  ]);
});

test('a session has the gate of its room beside its own', () => {
  expect(doorsOf([venue(['a'])], [session(['b'], 'ven')])).toMatchObject([
    { type: 'venue', gates: [['a']] },
    { type: 'session', gates: [['b'], ['a']] },
  ]);
  expect(doorsOf([], [session([], null)])[0]?.gates).toEqual([[], []]);
});

test.each<[string[][], string[], Entry]>([
  [[], [], 'opens'],
  [[[], []], [], 'opens'],
  [[['a', 'b']], ['b'], 'opens'],
  [[['a']], ['b'], 'closed'],
  [[['a'], ['b']], ['a'], 'helps'],
  [[['a'], ['b']], ['a', 'b'], 'opens'],
  [[['a'], []], ['a'], 'opens'],
])('with the gates %j, the perks %j: %s', (gates, held, entry) => {
  expect(decideEntry(gates, new Set(held))).toBe(entry);
});

describe('summarizeEntry', () => {
  const targets: Target[] = [
    { type: 'registration_type', id: 'tt', name: 'VIP' },
    { type: 'addon', id: 'addon', name: 'Workshop' },
    { type: 'redemption_code', id: 'code', name: 'SPEAKER' },
  ];
  const delivered = deliveredBy([perk('a', ['tt']), perk('b', ['tt', 'addon'])], []);
  const door = (gates: string[][]) => ({ ...doorsOf([venue([])], [])[0], gates }) as never;

  test.each([
    [[[]], { isOpen: true }],
    [[['b']], { isOpen: false, tickets: ['VIP'], extras: ['Workshop'], partly: [] }],
    [[['a'], ['b']], { isOpen: false, tickets: ['VIP'], extras: [], partly: ['Workshop'] }],
    [[['c']], { isOpen: false, tickets: [], extras: [], partly: [] }],
  ])('of the gates %j', (gates, summary) => {
    expect(summarizeEntry(door(gates), targets, delivered)).toMatchObject(summary);
  });
});
