import { describe, expect, test } from 'vitest';
import {
  codeState,
  fromNow,
  now,
  personOf,
  registrationState,
  reservationState,
  stateOf,
  statusesAfter,
  typeState,
} from '../../../test/states.ts';
import { decideBatch } from '../../admission/decide-batch.ts';
import { canPromoteMore, decideExpiries, decidePromotions } from './promotion.rules.ts';

const waitlisted = ['a', 'b', 'c'];
const withWaitlist = (
  type: Parameters<typeof typeState>[0],
  eventStatus: 'draft' | 'published' | 'archived' = 'published',
) =>
  stateOf({
    eventStatus,
    types: [typeState(type)],
    registrations: waitlisted.map((email) => registrationState(email, 'waitlisted')),
  });

describe('promotion', () => {
  test.each([
    [
      'takes the oldest first, as many as there are available seats',
      { capacity: 2 },
      'published',
      2,
    ],
    ['takes all when the capacity is unlimited', { capacity: null }, 'published', 3],
    ['takes place in a draft event', { capacity: 1 }, 'draft', 1],
    ['takes place in a closed type', { capacity: 1, status: 'closed' }, 'published', 1],
    ['takes place in a draft type', { capacity: 1, status: 'draft' }, 'published', 1],
    ['does not need an enabled waitlist', { capacity: 1, allowWaitlist: false }, 'published', 1],
    ['takes no one in an archived type', { capacity: 3, status: 'archived' }, 'published', 0],
    ['takes no one in an archived event', { capacity: 3 }, 'archived', 0],
    ['does not take reserved seats', { capacity: 3, reserved: 3 }, 'published', 0],
    ['takes no one below a lowered capacity', { capacity: 3, confirmed: 7 }, 'published', 0],
  ] as const)('%s', (_, type, eventStatus, promoted) => {
    const state = withWaitlist(type, eventStatus);
    const expected = waitlisted.map((_, n) => (n < promoted ? 'confirmed' : 'waitlisted'));
    expect(statusesAfter(state, decidePromotions(state), waitlisted)).toEqual(expected);
  });

  test('takes 256 at a time and reports that there are more', () => {
    const many = Array.from({ length: 300 }, (_, n) => registrationState(`p${n}`, 'waitlisted'));
    const state = stateOf({ registrations: many });
    const { changes } = decideBatch(state, []);
    expect(changes).toHaveLength(256);
    expect(canPromoteMore(state)).toBe(true);
    expect(decideBatch(state, []).changes).toHaveLength(44);
    expect(canPromoteMore(state)).toBe(false);
  });

  test('waits while it may not take place, and newcomers stay behind the waitlist', () => {
    const state = { ...withWaitlist({ capacity: 2, allowWaitlist: true }), mayPromote: false };
    const input = { person: personOf('new'), ticketTypeId: 'day', codeKey: null };
    const { results, changes } = decideBatch(state, [{ kind: 'register', input }]);
    expect(results).toMatchObject([{ outcome: 'registered' }]);
    expect(changes).toMatchObject([{ kind: 'register', status: 'waitlisted' }]);
    expect(canPromoteMore(state)).toBe(false);
  });

  test('is decided for each type separately', () => {
    const state = stateOf({
      types: [typeState({ capacity: 1 }), typeState({ id: 'night', capacity: 0 })],
      registrations: [
        registrationState('night', 'waitlisted', { ticketTypeId: 'night' }),
        registrationState('day', 'waitlisted'),
      ],
    });
    expect(statusesAfter(state, decidePromotions(state), ['night', 'day'])).toEqual([
      'waitlisted',
      'confirmed',
    ]);
  });
});

describe('expiry', () => {
  test.each([
    ['closes a reservation at its expiry', { expiresAt: now }, ['ord_1']],
    ['leaves a reservation before its expiry', { expiresAt: fromNow(1) }, []],
    ['leaves a fulfilled reservation', { expiresAt: now, state: 'fulfilled' }, []],
    ['leaves a released reservation', { expiresAt: now, state: 'released' }, []],
  ] as const)('%s', (_, fields, expected) => {
    const closed = decideExpiries(stateOf({ reservations: [reservationState(fields)] }));
    expect(closed.map((change) => 'id' in change && change.id)).toEqual(expected);
  });

  test('gives seats to the waitlist and uses back to the code before the first request is decided', () => {
    const state = stateOf({
      types: [typeState({ capacity: 1, allowWaitlist: true })],
      registrations: [registrationState('a', 'waitlisted')],
      codes: [codeState()],
      reservations: [reservationState({ expiresAt: now, redemptionCodeId: 'code_1', codeUses: 1 })],
    });
    decideBatch(state, [{ kind: 'promote' }]);
    expect(state.registrations.get('reg_a')?.status).toBe('confirmed');
    expect(state.types.get('day')).toMatchObject({ confirmed: 1, reserved: 0, waitlisted: 0 });
    expect(state.codes.get('FRIEND')?.uses).toBe(0);
  });
});
