import { describe, expect, test } from 'vitest';
import type { CheckinSummary, Conflict, PairedDevice } from '../../api/records.ts';
import {
  conflictReason,
  doorName,
  doorNamesOf,
  inputOf,
  isRosterOld,
  isSilent,
  isUsed,
  mayHaveConflicts,
  minuteEnds,
  openDoors,
  rateOf,
  remainingTime,
  sourceName,
  withActivity,
} from './doors.rules.ts';

const entrance = { subjectType: 'event', subjectId: 'evt_1', name: null } as const;
const hall = { subjectType: 'venue', subjectId: 'ven_1', name: 'Hall' } as const;
const former = { subjectType: 'venue', subjectId: 'ven_2', name: null } as const;

const device = (fields: Partial<PairedDevice>) =>
  ({ id: 'dev_1', doors: [], state: 'waiting', ...fields }) as PairedDevice;

test('a device can get the doors that exist', () => {
  expect(openDoors([entrance, hall, former])).toEqual([entrance, hall]);
});

test('the input of a pairing has the kinds of the chosen doors', () => {
  const values = { name: ' Left ', doors: ['ven_1'], showNames: true };
  expect(inputOf(values, 'evt_1', [entrance, hall])).toEqual({
    eventId: 'evt_1',
    name: 'Left',
    doors: [{ subjectType: 'venue', subjectId: 'ven_1' }],
    showNames: true,
  });
});

test('doors are named, also the one of the event and former ones', () => {
  const doors = [entrance, hall, former].map(({ subjectType, subjectId }) => ({
    subjectType,
    subjectId,
  }));
  expect(doorNamesOf(device({ doors }), [entrance, hall])).toEqual([
    doorName(entrance),
    'Hall',
    doorName(former),
  ]);
});

test('a device has its own activity, and none if it was not seen', () => {
  const seen = { id: 'dev_2', lastSeenAt: '2027-05-10T09:00:00Z', report: null };
  const [first, second] = withActivity([device({}), device({ id: 'dev_2' })], [seen]);
  expect([first?.activity, second?.activity]).toEqual([null, seen]);
});

test('a door without check-ins has a rate of zero in every minute', () => {
  const perMinute = [...Array(29).fill(0), 3];
  const until = '2027-05-10T09:10:30.000Z';
  const rates = { until, doors: [{ ...hall, perMinute }] };
  expect(rateOf(rates, 'ven_1')).toBe(perMinute);
  expect(rateOf(rates, 'evt_1')).toEqual(Array(30).fill(0));
  const ends = minuteEnds(until);
  expect([ends.length, ends.at(0), ends.at(-1)]).toEqual([30, until, '2027-05-10T08:41:30.000Z']);
});

describe('a roster', () => {
  const report = { unsentScans: 0, reportedAt: '2027-05-10T09:10:00Z' };
  test.each([
    ['that was just read', { ...report, rosterReadAt: '2027-05-10T09:09:30Z' }, false],
    [
      'that was read four minutes before',
      { ...report, rosterReadAt: '2027-05-10T09:06:00Z' },
      true,
    ],
    ['that is missing', { ...report, rosterReadAt: null }, true],
    ['that is unknown', null, false],
  ])('%s is old: %#', (_what, reported, expected) => {
    expect(isRosterOld({ report: reported })).toBe(expected);
  });
});

test.each([
  ['a device that was just seen', 'paired', '2027-05-10T08:59:00Z', false],
  ['a device that was not seen for two minutes', 'paired', '2027-05-10T08:57:59Z', true],
  ['a device that was never seen', 'paired', null, false],
  ['a device that was revoked', 'revoked', '2027-05-10T08:00:00Z', false],
] as const)('isSilent decides about %s', (_, state, lastSeenAt, expected) => {
  const activity = lastSeenAt && { id: 'dev_1', lastSeenAt, report: null };
  expect(isSilent({ state, activity }, new Date('2027-05-10T09:00:00Z'))).toBe(expected);
});

test.each([
  ['2027-05-10T09:10:00Z', '10:00'],
  ['2027-05-10T09:00:05.200Z', '0:06'],
  ['2027-05-10T09:00:00.001Z', '0:01'],
  ['2027-05-10T09:00:00Z', null],
  ['2027-05-10T08:00:00Z', null],
])('until %s remains %s', (until, expected) => {
  expect(remainingTime(until, new Date('2027-05-10T09:00:00Z'))).toBe(expected);
});

describe('a code', () => {
  test.each([
    ['waits', [device({})], false, false],
    ['waits, as an earlier read has shown', [device({})], true, false],
    ['is not listed yet', [], false, false],
    ['is used by a new device', [device({ state: 'paired' })], false, true],
    ['is used by a device that was paired before', [device({ id: 'dev_2' })], true, true],
    ['is revoked', [device({ state: 'revoked' })], true, false],
  ] as const)('%s', (_name, devices, wasWaiting, expected) => {
    expect(isUsed('dev_1', devices, wasWaiting)).toBe(expected);
  });
});

test.each<[string, Partial<CheckinSummary>, boolean]>([
  ['an equal summary', {}, false],
  ['a check-in', { checkedIn: 6 }, false],
  ['a refused scan', { refused: 1 }, false],
  ['a contested scan', { contested: 1 }, true],
  ['an overruled scan', { overruled: 1, checkedIn: 6 }, true],
  ['an undone check-in', { checkedIn: 4 }, true],
])('%s may have conflicts: %j %s', (_, change, expected) => {
  const before = { checkedIn: 5, contested: 0, overruled: 0, refused: 0 } as CheckinSummary;
  expect(mayHaveConflicts(before, { ...before, ...change })).toBe(expected);
});

test.each([
  ['dev_1', 'Left gate'],
  ['dev_2', 'A device'],
  ['opr_1', 'An operator'],
  ['key_1', 'An API key'],
  [null, 'Unknown'],
])('the source %s is called %s', (source, name) => {
  expect(sourceName(source, new Map([['dev_1', 'Left gate']]))).toBe(name);
});

test.each<[Partial<Conflict>, string]>([
  [{ kind: 'contested', first: 'other' }, 'The other scan was first'],
  [{ kind: 'overruled', reason: 'GATE_CLOSED' }, 'The ticket does not open this door'],
  [{ kind: 'undone', reason: 'The wrong badge' }, 'The wrong badge'],
])('%j is explained as "%s"', (conflict, reason) => {
  expect(conflictReason(conflict as Conflict)).toBe(reason);
});
