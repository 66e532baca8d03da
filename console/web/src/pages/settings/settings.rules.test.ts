import { expect, test } from 'vitest';
import { movesStartDay, writesOf } from './settings.rules.ts';

test.each([
  ['2027-05-10T07:00:00Z', 'Europe/Berlin', '2027-05-10T09:00:00Z', 'Europe/Berlin', false],
  ['2027-05-10T07:00:00Z', 'Europe/Berlin', '2027-05-11T07:00:00Z', 'Europe/Berlin', true],
  // 00:30 of the next day in Berlin.
  ['2027-05-10T07:00:00Z', 'Europe/Berlin', '2027-05-10T22:30:00Z', 'Europe/Berlin', true],
  // The same wall clock in another zone, and the same instant, whose day differs there.
  ['2027-05-10T07:00:00Z', 'Europe/Berlin', '2027-05-10T00:00:00Z', 'Asia/Tokyo', false],
  ['2027-05-09T22:00:00Z', 'Europe/Berlin', '2027-05-10T04:00:00Z', 'America/New_York', false],
  ['2027-05-10T18:00:00Z', 'Europe/Berlin', '2027-05-10T18:00:00Z', 'Asia/Tokyo', true],
  ['2027-05-10T07:00:00Z', 'Europe/Berlin', null, 'Europe/Berlin', true],
  [null, 'Europe/Berlin', '2027-05-10T07:00:00Z', 'Europe/Berlin', false],
  [null, 'Europe/Berlin', null, 'Asia/Tokyo', false],
])(
  'a start at %s in %s that becomes %s in %s moves to another day: %s',
  (from, zone, to, next, moves) => {
    const before = { startsAt: from, timezone: zone };
    expect(movesStartDay(before, { startsAt: to, timezone: next })).toBe(moves);
  },
);

const ofEvent = { eventId: 'evt_1', path: 'v1/events/evt_1', clearsAgenda: false };

test.each<[string, Parameters<typeof writesOf>[0], object[]]>([
  ['nothing sends nothing', {}, []],
  [
    'the name changes the event only',
    { name: 'Summit' },
    [{ method: 'PATCH', path: 'v1/events/evt_1', body: { name: 'Summit' } }],
  ],
  [
    'a limit that was emptied restores the default, and the others stay',
    { maxSeatsPerEmail: null },
    [{ command: 'event.setLimits', input: { eventId: 'evt_1', maxSeatsPerEmail: null } }],
  ],
  [
    'features are the lines with a text',
    { features: 'livestream\n\n app ' },
    [
      {
        command: 'event.setFeatures',
        input: { eventId: 'evt_1', features: ['livestream', 'app'] },
      },
    ],
  ],
  [
    'the shared capacities sends all of them',
    {
      capacityGroups: [
        { id: 'cgp_1', name: 'Main hall', capacity: 300 },
        { id: null, name: 'Room', capacity: 40 },
      ],
    },
    [
      {
        method: 'PATCH',
        path: 'v1/events/evt_1',
        body: {
          capacityGroups: [
            { id: 'cgp_1', name: 'Main hall', capacity: 300 },
            { name: 'Room', capacity: 40 },
          ],
        },
      },
    ],
  ],
  [
    'the rule of the doors goes to its owner',
    { refuseIfFormerInside: true },
    [{ command: 'event.setDoorRules', input: { eventId: 'evt_1', refuseIfFormerInside: true } }],
  ],
])('a change of %s', (_, changed, writes) => {
  expect(writesOf(changed, ofEvent)).toEqual(writes);
});

test('a change that clears the agenda confirms it', () => {
  const [write] = writesOf({ startsAt: null }, { ...ofEvent, clearsAgenda: true });
  expect(write).toMatchObject({ body: { startsAt: null, confirmAgendaReset: true } });
});
