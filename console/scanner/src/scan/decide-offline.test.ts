import type { RosterBadge, RosterEvent } from '@event-api/contracts/http/roster';
import { describe, expect, test } from 'vitest';
import { type DecisionInput, decideOffline } from './decide-offline.ts';
import type { Verdict } from './verdict.ts';

const ada: RosterBadge = {
  registrationId: 'reg_ada',
  codeHash: 'hash of ada',
  replacedCodeHashes: ['former hash of ada'],
  status: 'confirmed',
  sourceIds: ['tt_seat'],
  grantedPerkIds: [],
  name: 'Ada',
};
const entrance = { subjectType: 'event', subjectId: 'evt_1' } as const;
const lounge = { subjectType: 'venue', subjectId: 'ven_1' } as const;
const event: RosterEvent = {
  ...{ status: 'published', startsAt: null, endsAt: null, timezone: 'Europe/Berlin' },
  ...{ admissionOpensAt: null, admissionClosesAt: null, refuseIfFormerInside: false },
  cancelledAt: null,
};
const roster: DecisionInput['roster'] = {
  event,
  sources: [
    { id: 'tt_vip', perkIds: ['perk_lounge'], admissionOpensAt: null, admissionClosesAt: null },
    {
      ...{ id: 'tt_late', perkIds: [], admissionClosesAt: null },
      admissionOpensAt: '2027-05-10T14:00:00.000Z',
    },
  ],
  doors: [
    { ...entrance, name: null, gates: [] },
    { ...lounge, name: 'Lounge', gates: [['perk_lounge']] },
  ],
};
const at = new Date('2027-05-10T09:00:00.000Z');
const input: DecisionInput = { badge: ada, roster, door: entrance, earlier: undefined, at };
const earlier = {
  ...{ eventId: 'evt_1', at: '2027-05-10T08:00:00.000Z', scanId: null, checkinId: 'chk_1' },
  codeHash: ada.codeHash,
};
const formerInside = { ...earlier, codeHash: 'former hash of ada' };
const strict = { ...roster, event: { ...event, refuseIfFormerInside: true } };
const person = { registrationId: 'reg_ada', name: 'Ada', notice: null };

describe('decideOffline', () => {
  test.each<[string, Partial<DecisionInput>, Verdict]>([
    ['a confirmed badge', {}, { kind: 'admitted', ...person }],
    [
      'a badge without a name',
      { badge: { ...ada, name: null } },
      { kind: 'admitted', ...person, name: '' },
    ],
    [
      'a badge that this device has let in',
      { earlier },
      { kind: 'already', ...person, checkedInAt: earlier.at, badgeReplaced: false },
    ],
    [
      'a badge that was let in at a time that no clock knows',
      { earlier: { ...earlier, at: null } },
      { kind: 'already', ...person, checkedInAt: null, badgeReplaced: false },
    ],
    [
      'a badge whose former badge was let in',
      { earlier: formerInside },
      { kind: 'already', ...person, checkedInAt: earlier.at, badgeReplaced: true },
    ],
    [
      'a badge whose former badge was let in, if the event refuses it',
      { earlier: formerInside, roster: strict },
      { kind: 'former_inside', checkedInAt: earlier.at },
    ],
    [
      'a badge that was let in, if the event refuses only those of former badges',
      { earlier, roster: strict },
      { kind: 'already', ...person, checkedInAt: earlier.at, badgeReplaced: false },
    ],
    [
      'a ticket type that is admitted later',
      { badge: { ...ada, sourceIds: ['tt_late'] } },
      {
        ...{ kind: 'admission_closed', admissionClosesAt: null },
        admissionOpensAt: '2027-05-10T14:00:00.000Z',
      },
    ],
    [
      'a badge of a cancelled event',
      { roster: { ...roster, event: { ...event, cancelledAt: '2027-05-01T08:00:00.000Z' } } },
      { kind: 'event_cancelled' },
    ],
    [
      'a badge of an event that is not published',
      { roster: { ...roster, event: { ...event, status: 'draft' } } },
      { kind: 'admitted', ...person, notice: 'EVENT_NOT_PUBLISHED' },
    ],
    [
      'a badge with a roster of an earlier version of the page',
      { roster: { sources: roster.sources, doors: roster.doors }, earlier },
      { kind: 'already', ...person, checkedInAt: earlier.at, badgeReplaced: false },
    ],
    ['a badge that the roster does not have', { badge: null }, { kind: 'unknown_badge' }],
    [
      'a cancelled registration',
      { badge: { ...ada, status: 'cancelled' } },
      { kind: 'not_confirmed', registrationStatus: 'cancelled' },
    ],
    [
      'a cancelled registration that was let in before',
      { badge: { ...ada, status: 'cancelled' }, earlier },
      { kind: 'not_confirmed', registrationStatus: 'cancelled' },
    ],
    ['a closed gate', { door: lounge }, { kind: 'gate_closed', perks: [] }],
    [
      'a gate that the ticket opens',
      { door: lounge, badge: { ...ada, sourceIds: ['tt_vip'] } },
      { kind: 'admitted', ...person },
    ],
    [
      'a gate that a granted perk opens',
      { door: lounge, badge: { ...ada, grantedPerkIds: ['perk_lounge'] } },
      { kind: 'admitted', ...person },
    ],
    [
      'a door that was removed',
      { door: { subjectType: 'session', subjectId: 'ses_gone' } },
      { kind: 'door_gone' },
    ],
  ])('%s', (_, differences, verdict) => {
    expect(decideOffline({ codeHash: ada.codeHash }, { ...input, ...differences })).toEqual(
      verdict,
    );
  });

  test('a former badge of the person', () => {
    expect(decideOffline({ codeHash: 'former hash of ada' }, input)).toEqual({ kind: 'replaced' });
  });

  test('a person who was found by name', () => {
    expect(decideOffline({ registrationId: 'reg_ada' }, input)).toEqual({
      kind: 'admitted',
      ...person,
    });
  });
});
