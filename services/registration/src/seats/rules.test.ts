import { describe, expect, test } from 'vitest';
import {
  codeState,
  fromNow,
  now,
  registrationState,
  reservationState,
  stateOf,
  statusesAfter,
  typeState,
} from '../../test/states.ts';
import { decideBatch } from '../admission/decide-batch.ts';
import {
  availableSeats,
  canPromoteMore,
  decideExpiries,
  decidePromotions,
  isUsable,
  saleBlock,
  seatsForNewcomers,
} from './rules.ts';

describe('a ticket type is on sale', () => {
  test.each([
    ['open, at any time', {}, true],
    ['from its opening on', { opensAt: now }, true],
    ['not a millisecond before', { opensAt: fromNow(1) }, false],
    ['up to its closing', { closesAt: fromNow(1) }, true],
    ['not at its closing', { closesAt: now }, false],
    ['between both', { opensAt: fromNow(-1), closesAt: fromNow(1) }, true],
    ['not as a draft', { status: 'draft' }, false],
    ['not when closed', { status: 'closed' }, false],
    ['not when archived', { status: 'archived' }, false],
  ] as const)('%s', (_, fields, expected) => {
    expect(saleBlock(typeState(fields), now) === null).toBe(expected);
  });
});

describe('a code can be used', () => {
  test.each([
    ['once more', { maxUses: 3, uses: 2 }, 1, true],
    ['not beyond its limit', { maxUses: 3, uses: 2 }, 2, false],
    ['without end if it has no limit', { maxUses: null, uses: 1_000_000 }, 100, true],
    ['up to its expiry', { expiresAt: fromNow(1) }, 1, true],
    ['not at its expiry', { expiresAt: now }, 1, false],
    ['not when it is disabled', { status: 'disabled' }, 1, false],
  ] as const)('%s', (_, fields, uses, expected) => {
    expect(isUsable(codeState(fields), now, uses)).toBe(expected);
  });

  test('not when it does not exist', () => {
    expect(isUsable(undefined, now, 1)).toBe(false);
  });
});

describe('available seats', () => {
  test.each([
    [
      'are those that are neither confirmed nor reserved',
      { capacity: 10, confirmed: 3, reserved: 2 },
      5,
    ],
    ['are infinite without a capacity', { capacity: null, confirmed: 3 }, Infinity],
    ['are 0 when the capacity was lowered below the taken seats', { capacity: 1, confirmed: 3 }, 0],
  ])('%s', (_, fields, expected) => {
    expect(availableSeats(typeState(fields))).toBe(expected);
  });

  test.each([
    ['belong to the waitlist', {}, 'published', 0],
    ['belong to the waitlist in a draft event', {}, 'draft', 0],
    ['belong to the waitlist in a closed type', { status: 'closed' }, 'published', 0],
    ['are open to new registrations in an archived type', { status: 'archived' }, 'published', 5],
    ['are not for the waitlist in an archived event', {}, 'archived', 5],
    ['are open to new registrations when no one is waitlisted', { waitlisted: 0 }, 'published', 5],
  ] as const)('%s', (_, fields, eventStatus, expected) => {
    const type = typeState({ capacity: 5, waitlisted: 3, ...fields });
    expect(seatsForNewcomers(stateOf({ eventStatus, types: [type] }), type)).toBe(expected);
  });
});

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
