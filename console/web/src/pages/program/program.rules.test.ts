import { describe, expect, test } from 'vitest';
import type { Session, Speaker } from '../../api/records.ts';
import {
  conflictsOf,
  daysOf,
  hoursOf,
  moveSession,
  placeSessions,
  resizeSession,
  timesIn,
  timesOfNew,
  undoOf,
  zoneNameOf,
} from './program.rules.ts';

const zone = 'Europe/Berlin';
const at = (time: string, day = '10') => `2027-05-${day}T${time}:00.000Z`;
const session = (id: string, from: string, to: string, venueId: string | null = 'hall') =>
  ({ id, startsAt: at(from), endsAt: at(to), venueId }) as Session;

test('daysOf lists the days of the event in its zone, and those of sessions outside of it', () => {
  const event = { startsAt: at('22:30', '09'), endsAt: at('16:00', '12'), timezone: zone };
  expect(daysOf(event, [])).toEqual(['2027-05-10', '2027-05-11', '2027-05-12']);
  const late = { ...session('a', '09:00', '10:00'), startsAt: at('09:00', '14') };
  expect(daysOf({ ...event, endsAt: null }, [late])).toEqual(['2027-05-10', '2027-05-14']);
  expect(daysOf({ startsAt: null, endsAt: null, timezone: zone }, [])).toEqual([]);
});

describe('placeSessions', () => {
  test('puts sessions of one time and room side by side, each as narrow as its group needs', () => {
    const places = placeSessions(
      [
        session('a', '07:00', '08:00'),
        session('b', '07:30', '09:00'),
        session('c', '08:00', '09:00'),
        session('d', '09:00', '10:00'),
        session('e', '07:00', '08:00', 'lounge'),
      ],
      zone,
    );
    expect(Object.fromEntries(places)).toEqual({
      a: { from: 540, to: 600, lane: 0, lanes: 2 },
      b: { from: 570, to: 660, lane: 1, lanes: 2 },
      c: { from: 600, to: 660, lane: 0, lanes: 2 },
      d: { from: 660, to: 720, lane: 0, lanes: 1 },
      e: { from: 540, to: 600, lane: 0, lanes: 1 },
    });
  });

  test('ends a session of the night at midnight', () => {
    const party = { ...session('a', '20:00', '20:00'), endsAt: at('01:00', '11') };
    expect(placeSessions([party], zone).get('a')).toMatchObject({ from: 1320, to: 1440 });
  });
});

test.each([
  [[], { from: 540, to: 1080 }],
  [[{ from: 445, to: 1095 }], { from: 420, to: 1140 }],
])('the grid of %j shows %j', (places, hours) => {
  expect(hoursOf(places.map((place) => ({ ...place, lane: 0, lanes: 1 })))).toEqual(hours);
});

describe('conflictsOf', () => {
  const speaker = (sessionIds: string[]) => ({ sessionIds }) as Speaker;

  test('finds overlaps in a room and of a speaker', () => {
    const sessions = [
      session('a', '07:00', '09:00'),
      session('b', '08:00', '08:30'),
      session('c', '08:00', '09:00', 'lounge'),
      session('d', '09:00', '10:00'),
    ];
    const conflicts = conflictsOf(sessions, [speaker(['a', 'c']), speaker(['a', 'd'])]);
    expect(conflicts).toEqual(
      new Map([
        ['a', new Set(['room', 'speaker'])],
        ['b', new Set(['room'])],
        ['c', new Set(['speaker'])],
      ]),
    );
  });

  test('finds none among sessions without a room', () => {
    const sessions = [session('a', '07:00', '09:00', null), session('b', '08:00', '09:00', null)];
    expect(conflictsOf(sessions, []).size).toBe(0);
  });
});

describe('a change of a session', () => {
  const talk = session('a', '07:00', '08:00');

  test.each([
    [{ byMinutes: 7, venueId: 'hall' }, null],
    [
      { byMinutes: 8, venueId: 'hall' },
      { startsAt: at('07:15'), endsAt: at('08:15') },
    ],
    [
      { byMinutes: -30, venueId: 'hall' },
      { startsAt: at('06:30'), endsAt: at('07:30') },
    ],
    [{ byMinutes: 0, venueId: null }, { venueId: null }],
  ])('moves by %j to %j', (move, change) => {
    expect(moveSession(talk, move)).toEqual(change);
  });

  test.each([
    [0, null],
    [20, { endsAt: at('08:15') }],
    [-45, { endsAt: at('07:15') }],
    [-600, { endsAt: at('07:15') }],
  ])('changes its length by %i minutes to %j', (minutes, change) => {
    expect(resizeSession(talk, minutes)).toEqual(change);
  });

  test('is undone by the values before', () => {
    expect(undoOf(talk, { venueId: null })).toEqual({ venueId: 'hall' });
    expect(undoOf(talk, { endsAt: at('09:00') })).toEqual({ endsAt: talk.endsAt });
  });
});

test('a new session follows the last one of its day, or begins with the event', () => {
  const event = { startsAt: at('07:00'), timezone: zone };
  const day = '2027-05-10';
  expect(timesOfNew(day, [session('a', '07:00', '08:00')], event)).toEqual({
    startsAt: at('08:00'),
    endsAt: at('09:00'),
  });
  expect(timesOfNew(day, [], event).startsAt).toBe(at('07:00'));
  expect(timesOfNew('2027-05-11', [], event).startsAt).toBe(at('07:00', '11'));
  expect(timesOfNew(undefined, [], { ...event, startsAt: null }).startsAt).toBeNull();
});

test.each([
  ['2027-01-10T12:00:00Z', 'Europe/Berlin', 'CET'],
  ['2027-05-10T12:00:00Z', 'Europe/Berlin', 'CEST'],
  ['2027-05-10T12:00:00Z', 'UTC', 'UTC'],
  ['2027-05-10T12:00:00Z', 'Asia/Kolkata', 'GMT+5:30'],
])('at %s the zone %s is called %s', (instant, name, abbreviation) => {
  expect(zoneNameOf(instant, name)).toBe(abbreviation);
});

test('timesIn names the day of the other zone', () => {
  expect(timesIn('America/Los_Angeles', session('a', '05:00', '06:30'))).toEqual({
    day: 'Sun 9 May',
    from: '22:00',
    to: '23:30',
    zone: 'GMT-7',
  });
});
