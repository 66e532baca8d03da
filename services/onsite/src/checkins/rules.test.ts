import { registrationStatuses } from '@event-api/contracts/http/registrations';
import { describe, expect, test } from 'vitest';
import { type Badge, decideCheckin, type Gates } from './rules.ts';

const badge: Badge = { id: 'reg_1', checkinCode: 'CHK-1', status: 'confirmed', perkIds: ['vip'] };
const presented = { registrationId: 'reg_1' };

const outcomeOf = (gates: Gates, perkIds: readonly string[]) =>
  decideCheckin(presented, { ...badge, perkIds }, gates).outcome;

test('a badge that is nobody’s is unknown', () => {
  expect(decideCheckin(presented, null, []).outcome).toBe('unknown');
});

test('a code beside an id must be of the same registration', () => {
  const both = { ...presented, checkinCode: 'CHK-1' };
  expect(decideCheckin(both, badge, [])).toEqual({ outcome: 'admitted', registrationId: 'reg_1' });
  expect(decideCheckin({ ...both, checkinCode: 'CHK-2' }, badge, []).outcome).toBe(
    'not_the_same_person',
  );
});

test.each(registrationStatuses)('of the states only confirmed is let in: %s', (status) => {
  const { outcome } = decideCheckin(presented, { ...badge, status }, []);
  expect(outcome).toBe(status === 'confirmed' ? 'admitted' : 'not_confirmed');
});

test('validity is judged before the gate', () => {
  const { outcome } = decideCheckin(presented, { ...badge, status: 'cancelled' }, [['other']]);
  expect(outcome).toBe('not_confirmed');
});

describe('a gate', () => {
  test.each<[string, Gates, string[], boolean]>([
    ['without perks is open to all', [[]], [], true],
    ['opens for its one perk', [['vip']], ['vip'], true],
    ['opens for any of its perks', [['vip', 'crew']], ['crew'], true],
    ['stays closed to other perks', [['vip', 'crew']], ['lunch'], false],
    ['stays closed to nobody’s perks', [['vip']], [], false],
    ['of a room stands before its sessions', [['vip'], ['crew']], ['vip'], false],
    ['and that of its room open for both perks', [['vip'], ['crew']], ['vip', 'crew'], true],
    ['of a room stands alone where the session has none', [[], ['crew']], ['vip'], false],
  ])('%s', (_name, gates, perkIds, isOpen) => {
    expect(outcomeOf(gates, perkIds)).toBe(isOpen ? 'admitted' : 'gate_closed');
  });
});
