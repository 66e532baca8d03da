import { describe, expect, test } from 'vitest';
import type { CheckinSummary, Conflict, DoorCount, PairedDevice } from '../../api/records.ts';
import {
  canStayPaired,
  conflictReason,
  doorName,
  doorNamesOf,
  expectedAt,
  inputOf,
  isRosterOld,
  isSilent,
  isUsed,
  mayHaveConflicts,
  minuteEnds,
  openDoors,
  rateOf,
  sourceName,
  splitDoors,
  toggleDoor,
  wallColumns,
  wallDigits,
  wallDoors,
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
  const values = { name: ' Left ', doors: ['ven_1'], showNames: true, untilEventEnds: true };
  expect(inputOf(values, 'evt_1', [entrance, hall])).toEqual({
    eventId: 'evt_1',
    name: 'Left',
    doors: [{ subjectType: 'venue', subjectId: 'ven_1' }],
    showNames: true,
    untilEventEnds: true,
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

const counted = (door: Pick<DoorCount, 'subjectType' | 'subjectId' | 'name'>, checkedIn = 0) =>
  ({
    ...door,
    checkedIn,
    contested: 0,
    overruled: 0,
    refused: 0,
    lastCheckinAt: null,
  }) as DoorCount;
const room = { subjectType: 'venue', subjectId: 'ven_3', name: 'Room' } as const;

describe('the doors of the wall', () => {
  const doors = [counted(entrance, 40), counted(hall), counted(room, 2)];
  const ids = (of: readonly DoorCount[]) => of.map(({ subjectId }) => subjectId);

  test.each([
    ['those with numbers, without a choice', undefined, ['evt_1', 'ven_3']],
    ['those that were chosen', 'ven_1,evt_1', ['evt_1', 'ven_1']],
    ['those with numbers, if the chosen ones do not exist', 'ven_9', ['evt_1', 'ven_3']],
  ])('are %s', (_, chosen, shown) => {
    expect(ids(wallDoors(doors, chosen))).toEqual(shown);
  });

  test('are the entrance before the first check-in', () => {
    const quiet = [counted(hall), counted(entrance)];
    expect(ids(splitDoors(quiet).busy)).toEqual(['evt_1']);
    expect(ids(splitDoors(quiet).quiet)).toEqual(['ven_1']);
  });

  test.each([
    ['evt_1', 'ven_3'],
    ['ven_1', 'evt_1,ven_3,ven_1'],
  ])('after %s was toggled are %s', (id, chosen) => {
    expect(toggleDoor(wallDoors(doors, undefined), id)).toBe(chosen);
  });

  test('keep the last one', () => {
    expect(toggleDoor([counted(hall)], 'ven_1')).toBe('ven_1');
  });

  test.each([
    [1, 1, 1],
    [3, 3, 1],
    [4, 2, 2],
    [8, 4, 2],
    [20, 5, 2],
  ])(
    'are %i tiles in %i columns on a wide screen and %i on a narrow one',
    (tiles, wide, narrow) => {
      expect(wallColumns(tiles)).toEqual({ wide, narrow });
    },
  );
});

test.each([
  ['everyone with a confirmed ticket at the entrance', entrance, [3, 4], 7],
  ['unknown at a room', hall, [3, 4], null],
  ['unknown without ticket types', entrance, [], null],
])('expected is %s', (_, door, confirmed, expected) => {
  const types = confirmed.map((count) => ({ counts: { confirmed: count, waitlisted: 0 } }));
  expect(expectedAt(door, types)).toBe(expected);
});

test.each([
  [null, false],
  ['2027-05-10T09:00:00Z', false],
  ['2027-05-10T09:00:01Z', true],
])('an event that ends at %s can keep devices: %s', (endsAt, can) => {
  expect(canStayPaired({ endsAt }, new Date('2027-05-10T09:00:00Z'))).toBe(can);
});

test('the numbers of the wall have the size of the widest one', () => {
  const tile = (count: string, of = '') => ({ count, of });
  const widest = wallDigits([tile('1,204', 'of 2,000')]);
  expect(wallDigits([tile('7'), tile('1,204', 'of 2,000'), tile('88')])).toBe(widest);
  expect(wallDigits([tile('1,204')])).toBeLessThan(widest);
  expect(wallDigits([tile('7')])).toBe(wallDigits([]));
});
