import { registrationStatuses } from '@event-api/contracts/http/registrations';
import { describe, expect, test } from 'vitest';
import { type Badge, decideCheckin } from './checkin-decision.ts';

const badge: Badge = {
  id: 'reg_1',
  name: 'Ada Lovelace',
  registrationTypeId: 'tt_1',
  codeHash: 'hash-1',
  replacedCodeHashes: [],
  status: 'confirmed',
  perkIds: ['vip'],
};
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
