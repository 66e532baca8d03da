import { registrationStatuses } from '@event-api/contracts/http/registrations';
import type { RosterEvent } from '@event-api/contracts/http/roster';
import { describe, expect, test } from 'vitest';
import {
  type AdmissionTimes,
  type Badge,
  decideCheckin as decide,
  decideRepeat,
  type Gates,
  type HashedBadge,
} from './checkin-decision.ts';

const badge: Badge = {
  id: 'reg_1',
  name: 'Ada Lovelace',
  registrationTypeId: 'tt_1',
  codeHash: 'hash-1',
  replacedCodeHashes: [],
  status: 'confirmed',
  perkIds: ['vip'],
  admission: { admissionOpensAt: null, admissionClosesAt: null },
};
const event: RosterEvent = {
  ...{ status: 'published', timezone: 'Europe/Berlin', refuseIfFormerInside: false },
  ...{ startsAt: '2027-05-10T07:00:00.000Z', endsAt: '2027-05-12T15:00:00.000Z' },
  ...{ admissionOpensAt: null, admissionClosesAt: null, cancelledAt: null },
};
const noon = new Date('2027-05-10T10:00:00.000Z');
const decideCheckin = (shown: HashedBadge, of: Badge | null, gates: Gates) =>
  decide(shown, of, { gates, event }, noon);
const presented = { registrationId: 'reg_1' };

/** A session's gate and that of its venue. */
const gates = (...perkIds: readonly (readonly string[])[]) =>
  perkIds.map((ids, index) => ({
    of: index === 0 ? ('session' as const) : ('venue' as const),
    perkIds: ids,
  }));

const outcomeOf = (required: readonly (readonly string[])[], perkIds: readonly string[]) =>
  decideCheckin(presented, { ...badge, perkIds }, gates(...required)).outcome;

test('an unknown door is rejected before an unknown badge, and an unknown badge before its status', () => {
  expect(decideCheckin(presented, null, null).outcome).toBe('unknown_door');
  expect(decideCheckin(presented, badge, null).outcome).toBe('unknown_door');
  expect(decideCheckin(presented, null, []).outcome).toBe('unknown_badge');
});

test('a code and an id must belong to the same registration', () => {
  const both = { ...presented, codeHash: 'hash-1' };
  expect(decideCheckin(both, badge, [])).toMatchObject({ outcome: 'admitted', badge });
  expect(decideCheckin({ ...both, codeHash: 'hash-2' }, badge, []).outcome).toBe('badge_mismatch');
});

test('a replaced code is rejected before the status, alone and with the id', () => {
  const replaced = { ...badge, codeHash: 'hash-2', replacedCodeHashes: ['hash-0', 'hash-1'] };
  for (const code of [{ codeHash: 'hash-1' }, { ...presented, codeHash: 'hash-0' }]) {
    for (const status of registrationStatuses) {
      expect(decideCheckin(code, { ...replaced, status }, []).outcome).toBe('badge_replaced');
    }
  }
  const current = { ...presented, codeHash: 'hash-2' };
  expect(decideCheckin(current, replaced, []).outcome).toBe('admitted');
  expect(decideCheckin(presented, replaced, []).outcome).toBe('admitted');
  const unknown = { ...presented, codeHash: 'hash-3' };
  expect(decideCheckin(unknown, replaced, []).outcome).toBe('badge_mismatch');
});

test.each(registrationStatuses)('only the status confirmed is admitted: %s', (status) => {
  const decision = decideCheckin(presented, { ...badge, status }, []);
  expect(decision).toMatchObject(
    status === 'confirmed'
      ? { outcome: 'admitted' }
      : { outcome: 'not_confirmed', registrationStatus: status },
  );
});

test('the status is checked before the gates', () => {
  const cancelled = { ...badge, status: 'cancelled' as const };
  expect(decideCheckin(presented, cancelled, gates(['other'])).outcome).toBe('not_confirmed');
});

describe('a gate', () => {
  test.each<[string, string[][], string[], boolean]>([
    ['opens for everyone when it has no perks', [[]], [], true],
    ['opens for its one perk', [['vip']], ['vip'], true],
    ['opens for any of its perks', [['vip', 'crew']], ['crew'], true],
    ['stays closed for other perks', [['vip', 'crew']], ['lunch'], false],
    ['stays closed without perks', [['vip']], [], false],
    ['of a venue must open for its sessions, too', [['vip'], ['crew']], ['vip'], false],
    ['of a session and its venue open for both perks', [['vip'], ['crew']], ['vip', 'crew'], true],
    ['of a venue applies to a session without a gate', [[], ['crew']], ['vip'], false],
  ])('%s', (_name, required, perkIds, isOpen) => {
    expect(outcomeOf(required, perkIds)).toBe(isOpen ? 'admitted' : 'gate_closed');
  });

  test('that is closed is reported with its perks, the gate of the session before that of the venue', () => {
    const decide = (perkIds: readonly string[]) =>
      decideCheckin(presented, { ...badge, perkIds }, gates(['vip', 'crew'], ['lunch']));
    expect(decide([])).toMatchObject({ outcome: 'gate_closed', perkIds: ['vip', 'crew'] });
    expect(decide(['vip'])).toMatchObject({ outcome: 'gate_closed', perkIds: ['lunch'] });
  });
});

describe('the evaluated rules', () => {
  const rulesOf = (...input: Parameters<typeof decideCheckin>) => decideCheckin(...input).rules;

  test('include those after the first one that does not pass', () => {
    const code = { ...presented, codeHash: 'hash-2' };
    const pending = { ...badge, status: 'pending' as const };
    expect(rulesOf(code, pending, gates(['crew'], ['vip']))).toEqual([
      { rule: 'door', passed: true },
      { rule: 'badge', passed: true },
      { rule: 'badge_code', passed: false },
      { rule: 'confirmed', passed: false, registrationStatus: 'pending' },
      { rule: 'gate', passed: false, of: 'session', perkIds: ['crew'] },
      { rule: 'gate', passed: true, of: 'venue', perkIds: ['vip'] },
    ]);
  });

  test('end where the badge or the door is missing', () => {
    expect(rulesOf(presented, null, gates(['crew']))).toEqual([
      { rule: 'door', passed: true },
      { rule: 'badge', passed: false },
    ]);
    expect(rulesOf(presented, badge, null)).toEqual([
      { rule: 'door', passed: false },
      { rule: 'badge', passed: true },
      { rule: 'confirmed', passed: true, registrationStatus: 'confirmed' },
    ]);
  });
});

describe('the times of admission', () => {
  const [early, late] = ['2027-05-10T08:00:00.000Z', '2027-05-10T12:00:00.000Z'];
  const times = (admissionOpensAt: string | null, admissionClosesAt: string | null) => ({
    admissionOpensAt,
    admissionClosesAt,
  });
  const none = times(null, null);
  const decideAt = (at: string, ofEvent: AdmissionTimes, ofType: AdmissionTimes) =>
    decide(
      presented,
      { ...badge, admission: ofType },
      { gates: [], event: { ...event, ...ofEvent } },
      new Date(at),
    );

  test.each<[string, string, AdmissionTimes, AdmissionTimes, AdmissionTimes | null]>([
    ['without any', early, none, none, null],
    ['at the first instant', early, times(early, late), none, null],
    [
      'a millisecond earlier',
      '2027-05-10T07:59:59.999Z',
      times(early, null),
      none,
      times(early, null),
    ],
    ['a millisecond before the end', '2027-05-10T11:59:59.999Z', times(early, late), none, null],
    ['at the end', late, times(null, late), none, times(null, late)],
    ['too early for the ticket type', early, none, times(late, null), times(late, null)],
    ['too late for the ticket type', late, none, times(null, early), times(null, early)],
    ['within both', early, times(early, null), times(null, late), null],
    [
      'within those of the ticket type alone',
      late,
      times(null, late),
      times(early, null),
      times(null, late),
    ],
    [
      'within those of the event alone',
      early,
      times(early, null),
      times(late, null),
      times(late, null),
    ],
    [
      'outside both, of which the event counts',
      late,
      times(null, late),
      times(null, early),
      times(null, late),
    ],
  ])('%s', (_, at, ofEvent, ofType, closed) => {
    expect(decideAt(at, ofEvent, ofType)).toMatchObject(
      closed ? { outcome: 'admission_closed', ...closed } : { outcome: 'admitted' },
    );
  });

  test('do not count once the event is cancelled', () => {
    const cancelledAt = (at: Date) => ({ ...event, cancelledAt: at.toISOString() });
    const outcomeAt = (ofEvent: RosterEvent, of: Badge = badge) =>
      decide(presented, of, { gates: gates(['vip']), event: ofEvent }, noon).outcome;
    expect(outcomeAt(cancelledAt(noon))).toBe('event_cancelled');
    expect(outcomeAt(cancelledAt(new Date(noon.getTime() + 1)))).toBe('admitted');
    const ofCancelled = { ...badge, status: 'cancelled' as const };
    expect(outcomeAt(cancelledAt(noon), ofCancelled)).toBe('event_cancelled');
  });

  test('count after the status and the gates', () => {
    const closed = { gates: gates(['crew']), event: { ...event, ...times(late, null) } };
    expect(decide(presented, badge, closed, noon).outcome).toBe('gate_closed');
    const pending = { ...badge, status: 'pending' as const };
    expect(decide(presented, pending, { ...closed, gates: [] }, noon).outcome).toBe(
      'not_confirmed',
    );
  });
});

describe('the notice of a check-in', () => {
  test.each<[string, Partial<RosterEvent>, string, string | null]>([
    ['within the days', {}, '2027-05-11T10:00:00Z', null],
    ['in a draft', { status: 'draft' }, '2027-05-11T10:00:00Z', 'EVENT_NOT_PUBLISHED'],
    ['in an archived event', { status: 'archived' }, '2027-05-11T10:00:00Z', 'EVENT_NOT_PUBLISHED'],
    [
      'in a draft on another day',
      { status: 'draft' },
      '2026-05-11T10:00:00Z',
      'EVENT_NOT_PUBLISHED',
    ],
    ['months before', {}, '2026-11-10T10:00:00Z', 'OUTSIDE_EVENT_DAYS'],
    ['in the first minute of the first day, in its zone', {}, '2027-05-09T22:00:00Z', null],
    ['a minute before the first day', {}, '2027-05-09T21:59:00Z', 'OUTSIDE_EVENT_DAYS'],
    ['in the last minute of the last day, in its zone', {}, '2027-05-12T21:59:00Z', null],
    ['after the last day', {}, '2027-05-12T22:00:00Z', 'OUTSIDE_EVENT_DAYS'],
    ['without a start', { startsAt: null }, '2026-11-10T10:00:00Z', null],
    ['without an end', { endsAt: null }, '2028-10-10T10:00:00Z', null],
    [
      'while neither the status nor the zone is known',
      { status: null, timezone: null },
      '2026-11-10T10:00:00Z',
      null,
    ],
  ])('%s', (_, differences, at, notice) => {
    const door = { gates: [], event: { ...event, ...differences } };
    expect(decide(presented, badge, door, new Date(at))).toMatchObject({
      outcome: 'admitted',
      notice,
    });
  });
});

describe('decideRepeat', () => {
  const heir = { replacedCodeHashes: ['hash-0', 'hash-1'] };

  test.each([
    ['the same badge', 'hash-2', false, { outcome: 'already', badgeReplaced: false }],
    ['a former badge', 'hash-0', false, { outcome: 'already', badgeReplaced: true }],
    ['a badge that is not known', null, false, { outcome: 'already', badgeReplaced: false }],
    ['the same badge, strict', 'hash-2', true, { outcome: 'already', badgeReplaced: false }],
    ['a former badge, strict', 'hash-1', true, { outcome: 'former_badge_inside' }],
    ['a badge that is not known, strict', null, true, { outcome: 'already', badgeReplaced: false }],
  ])('%s was let in', (_, codeHash, refuseIfFormerInside, decision) => {
    expect(decideRepeat(heir, { codeHash }, { refuseIfFormerInside })).toEqual(decision);
  });
});
