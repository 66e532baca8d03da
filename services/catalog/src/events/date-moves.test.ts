import { describe, expect, test } from 'vitest';
import { decideEventUpdate, type EventPatch } from './events.rules.ts';

/**
 * Returns whether moving an event from one start and time zone to another requires a confirmation.
 */
function needsConfirmation(
  from: { start: string | null; zone: string },
  to: { start?: string | null; zone?: string },
): boolean {
  const event = {
    name: 'Summit',
    status: 'draft',
    startsAt: from.start === null ? null : new Date(from.start),
    endsAt: null,
    admissionOpensAt: null,
    admissionClosesAt: null,
    timezone: from.zone,
    currency: 'EUR',
    attendanceMode: 'in_person',
    country: null,
    currencyLocked: false,
    capacityGroups: [] as never[],
  } as const;
  const patch: EventPatch = {
    ...(to.start !== undefined && { startsAt: to.start === null ? null : new Date(to.start) }),
    ...(to.zone && { timezone: to.zone }),
  };
  const requested = decideEventUpdate(event, patch).outcome;
  const confirmed = decideEventUpdate(event, { ...patch, confirmAgendaReset: true }).outcome;
  expect(confirmed).toBe('changed');
  expect(['changed', 'agenda_reset_unconfirmed']).toContain(requested);
  return requested === 'agenda_reset_unconfirmed';
}

const berlin = 'Europe/Berlin';
const noon = '2027-05-10T10:00:00Z';

describe('a start moves within its time zone', () => {
  test.each([
    ['to the first instant of its day', berlin, noon, '2027-05-09T22:00:00Z', false],
    ['to the instant before its day', berlin, noon, '2027-05-09T21:59:59.999Z', true],
    ['to the last instant of its day', berlin, noon, '2027-05-10T21:59:59.999Z', false],
    ['to the instant after its day', berlin, noon, '2027-05-10T22:00:00Z', true],
    ['across midnight of UTC alone', 'Asia/Tokyo', '2027-05-09T23:00Z', '2027-05-10T01:00Z', false],
    ['across its own midnight alone', 'Asia/Tokyo', '2027-05-10T14:00Z', '2027-05-10T16:00Z', true],
    ['by a year exactly', berlin, noon, '2028-05-10T10:00:00Z', true],
    ['by a month exactly', berlin, noon, '2027-06-10T10:00:00Z', true],
    ['by a century exactly', berlin, noon, '2127-05-10T10:00:00Z', true],
    [
      'between zones of a quarter of an hour',
      'Asia/Kathmandu',
      '2027-05-09T18:14:59Z',
      '2027-05-09T18:15:00Z',
      true,
    ],
    [
      'far in the east',
      'Pacific/Kiritimati',
      '2027-05-09T10:00:00Z',
      '2027-05-09T23:00:00Z',
      false,
    ],
  ])('%s', (_what, zone, start, moved, isMove) => {
    expect(needsConfirmation({ start, zone }, { start: moved })).toBe(isMove);
  });
});

describe('a start moves on a day with a clock change', () => {
  // In Berlin, 28 March 2027 has 23 hours and 31 October 2027 has 25.
  test.each([
    ['across the skipped hour', '2027-03-28T00:59:59Z', '2027-03-28T01:00:00Z', false],
    ['to the last instant of the short day', '2027-03-27T23:00:00Z', '2027-03-28T21:59:59Z', false],
    ['by 23 hours, beyond the short day', '2027-03-27T23:00:00Z', '2027-03-28T22:00:00Z', true],
    ['across the repeated hour', '2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z', false],
    ['by 24 hours, within the long day', '2027-10-30T22:00:00Z', '2027-10-31T22:00:00Z', false],
    ['by 25 hours, beyond the long day', '2027-10-30T22:00:00Z', '2027-10-31T23:00:00Z', true],
  ])('%s', (_what, start, moved, isMove) => {
    expect(needsConfirmation({ start, zone: berlin }, { start: moved })).toBe(isMove);
  });

  test('on a day that begins at one o’clock', () => {
    const cairo = { start: '2027-04-29T22:00:00Z', zone: 'Africa/Cairo' };
    expect(needsConfirmation(cairo, { start: '2027-04-30T20:59:59Z' })).toBe(false);
    expect(needsConfirmation(cairo, { start: '2027-04-30T21:00:00Z' })).toBe(true);
    expect(needsConfirmation(cairo, { start: '2027-04-29T21:59:59Z' })).toBe(true);
  });
});

describe('a change of the time zone', () => {
  test.each([
    ['moves a start whose date it changes', '2027-05-09T22:30:00Z', 'America/New_York', true],
    ['does not move a start whose date stays', noon, 'America/New_York', false],
    ['moves it across the date line', noon, 'Pacific/Kiritimati', true],
  ])('%s', (_what, start, zone, isMove) => {
    expect(needsConfirmation({ start, zone: berlin }, { zone })).toBe(isMove);
  });

  test('compares the old start in the old time zone with the new start in the new one', () => {
    const from = { start: '2027-05-09T22:30:00Z', zone: berlin };
    const newYork = 'America/New_York';
    // Each is on 10 May in its own time zone. In one common time zone they are on different dates.
    expect(needsConfirmation(from, { start: '2027-05-11T03:00:00Z', zone: newYork })).toBe(false);
    // Both are on 9 May in New York, but the old one is on 10 May in Berlin.
    expect(needsConfirmation(from, { start: '2027-05-09T23:30:00Z', zone: newYork })).toBe(true);
  });
});

describe('a start that is null before or after', () => {
  test('is not a move when it is set for the first time', () => {
    expect(needsConfirmation({ start: null, zone: berlin }, { start: noon })).toBe(false);
    expect(needsConfirmation({ start: null, zone: berlin }, { start: noon, zone: 'UTC' })).toBe(
      false,
    );
  });

  test('is a move when it is removed', () => {
    expect(needsConfirmation({ start: noon, zone: berlin }, { start: null })).toBe(true);
  });

  test('is not a move when only the time zone changes', () => {
    expect(needsConfirmation({ start: null, zone: berlin }, { zone: 'Asia/Tokyo' })).toBe(false);
  });
});
