import type { RosterBadge } from '@event-api/contracts/http/roster';
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
const roster: DecisionInput['roster'] = {
  sources: [{ id: 'tt_vip', perkIds: ['perk_lounge'] }],
  doors: [
    { ...entrance, name: null, gates: [] },
    { ...lounge, name: 'Lounge', gates: [['perk_lounge']] },
  ],
};
const input: DecisionInput = { badge: ada, roster, door: entrance, earlier: undefined };
const earlier = { eventId: 'evt_1', at: '2027-05-10T08:00:00.000Z', scanId: null };
const person = { registrationId: 'reg_ada', name: 'Ada' };

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
      { kind: 'already', ...person, checkedInAt: earlier.at },
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
