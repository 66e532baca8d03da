import { registrationStatuses } from '@event-api/contracts/http/registrations';
import { describe, expect, test } from 'vitest';
import { type Badge, decideCheckin, type Gates } from './rules.ts';

const badge: Badge = { id: 'reg_1', checkinCode: 'CHK-1', status: 'confirmed', perkIds: ['vip'] };
const presented = { registrationId: 'reg_1' };

const outcomeOf = (gates: Gates, perkIds: readonly string[]) =>
  decideCheckin(presented, { ...badge, perkIds }, gates).outcome;

test('an unknown badge is rejected', () => {
  expect(decideCheckin(presented, null, []).outcome).toBe('unknown');
});

test('a code and an id must belong to the same registration', () => {
  const both = { ...presented, checkinCode: 'CHK-1' };
  expect(decideCheckin(both, badge, [])).toEqual({ outcome: 'admitted', registrationId: 'reg_1' });
  expect(decideCheckin({ ...both, checkinCode: 'CHK-2' }, badge, []).outcome).toBe(
    'badge_mismatch',
  );
});

test.each(registrationStatuses)('only the status confirmed is admitted: %s', (status) => {
  const { outcome } = decideCheckin(presented, { ...badge, status }, []);
  expect(outcome).toBe(status === 'confirmed' ? 'admitted' : 'not_confirmed');
});

test('the status is checked before the gates', () => {
  const { outcome } = decideCheckin(presented, { ...badge, status: 'cancelled' }, [['other']]);
  expect(outcome).toBe('not_confirmed');
});

describe('a gate', () => {
  test.each<[string, Gates, string[], boolean]>([
    ['opens for everyone when it has no perks', [[]], [], true],
    ['opens for its one perk', [['vip']], ['vip'], true],
    ['opens for any of its perks', [['vip', 'crew']], ['crew'], true],
    ['stays closed for other perks', [['vip', 'crew']], ['lunch'], false],
    ['stays closed without perks', [['vip']], [], false],
    ['of a venue must open for its sessions, too', [['vip'], ['crew']], ['vip'], false],
    ['of a session and its venue open for both perks', [['vip'], ['crew']], ['vip', 'crew'], true],
    ['of a venue applies to a session without a gate', [[], ['crew']], ['vip'], false],
  ])('%s', (_name, gates, perkIds, isOpen) => {
    expect(outcomeOf(gates, perkIds)).toBe(isOpen ? 'admitted' : 'gate_closed');
  });
});
