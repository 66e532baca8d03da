import { describe, expect, test } from 'vitest';
import {
  codeState,
  personOf,
  registrationState,
  reservationState,
  stateOf,
  typeState,
} from '../../test/states.ts';
import { applyChanges } from './apply-changes.ts';
import type { AdmissionState, Change } from './seats.rules.ts';

const counters = (state: AdmissionState) => {
  const { confirmed = 0, waitlisted = 0, reserved = 0 } = state.types.get('day') ?? {};
  return { confirmed, waitlisted, reserved, uses: state.codes.get('FRIEND')?.uses };
};

const none = { confirmed: 0, waitlisted: 0, reserved: 0, uses: 0 };

describe('a new registration', () => {
  test.each([
    ['confirmed', { confirmed: 1 }],
    ['waitlisted', { waitlisted: 1 }],
    ['pending', {}],
  ] as const)('that is %s counts its seat and a use of its code', (status, taken) => {
    const state = stateOf({ codes: [codeState()] });
    const change = { status, ticketTypeId: 'day', redemptionCodeId: 'code_1', orderId: null };
    applyChanges(state, [{ kind: 'register', person: personOf('a'), ...change }]);
    expect(counters(state)).toEqual({ ...none, ...taken, uses: 1 });
    expect(state.active.get('a')).toBe('reg_a');
  });
});

describe('a status change', () => {
  const statuses = ['pending', 'confirmed', 'waitlisted', 'rejected', 'cancelled'] as const;
  const active = ['pending', 'confirmed', 'waitlisted'] as const;
  const cases = active.flatMap((from) => statuses.map((to) => [from, to] as const));

  test.each(cases)('from %s to %s updates the seat, the use and the email', (from, to) => {
    const mine = registrationState('a', from, { redemptionCodeId: 'code_1' });
    const state = stateOf({ registrations: [mine], codes: [codeState()] });
    applyChanges(state, [{ kind: 'set_status', id: 'reg_a', to, reason: null }]);
    const isActive = to !== 'rejected' && to !== 'cancelled';
    const seat = { ...(to === 'confirmed' || to === 'waitlisted' ? { [to]: 1 } : {}) };
    expect(counters(state)).toEqual({ ...none, ...seat, uses: isActive ? 1 : 0 });
    expect(state.active.has('a')).toBe(isActive);
  });

  test('of a registration that was not read throws', () => {
    const change: Change = { kind: 'set_status', id: 'reg_x', to: 'cancelled', reason: null };
    expect(() => applyChanges(stateOf({}), [change])).toThrow('not read');
  });
});

describe('a change of a registration', () => {
  const statuses = ['pending', 'confirmed', 'waitlisted'] as const;
  const { registrationId: _, name: __, ...holder } = personOf('b');
  const kept = { name: undefined, responses: null } as const;
  const change = { kind: 'change_registration', id: 'reg_a', ...kept } as const;

  test.each(statuses)('that is %s to another type moves its seat and keeps the use', (status) => {
    const mine = registrationState('a', status, { redemptionCodeId: 'code_1' });
    const types = [typeState(), typeState({ id: 'night' })];
    const state = stateOf({ types, registrations: [mine], codes: [codeState()] });
    applyChanges(state, [{ ...change, holder: null, ticketTypeId: 'night' }]);
    expect(counters(state)).toEqual({ ...none, uses: 1 });
    const { confirmed, waitlisted, waitlist } = state.types.get('night') ?? {};
    expect({ confirmed, waitlisted, waitlist }).toEqual({
      confirmed: status === 'confirmed' ? 1 : 0,
      waitlisted: status === 'waitlisted' ? 1 : 0,
      waitlist: status === 'waitlisted' ? ['reg_a'] : [],
    });
  });

  test('to another type puts it at the end of the waitlist there', () => {
    const types = [typeState(), typeState({ id: 'night' })];
    const waiting = (email: string, ticketTypeId: string) =>
      registrationState(email, 'waitlisted', { ticketTypeId });
    const state = stateOf({
      types,
      registrations: [waiting('a', 'day'), waiting('x', 'night'), waiting('y', 'night')],
    });
    applyChanges(state, [{ ...change, holder: null, ticketTypeId: 'night' }]);
    expect(state.types.get('night')?.waitlist).toEqual(['reg_x', 'reg_y', 'reg_a']);
  });

  test('to another email releases the former one and counts for the other buyer', () => {
    const buyers = { a: { holds: 0, seats: 0 }, b: { holds: 0, seats: 0 } };
    const state = stateOf({ registrations: [registrationState('a', 'confirmed')], buyers });
    applyChanges(state, [{ ...change, holder, ticketTypeId: null }]);
    expect([...state.active]).toEqual([['b', 'reg_a']]);
    expect(counters(state)).toEqual({ ...none, uses: undefined, confirmed: 1 });
    expect([state.buyers.get('a')?.seats, state.buyers.get('b')?.seats]).toEqual([0, 1]);
  });

  test('to another email keeps the seat of an order with its buyer', () => {
    const ordered = registrationState('a', 'confirmed', { orderId: 'ord_1', buyerEmail: 'buyer' });
    const state = stateOf({ registrations: [ordered] });
    applyChanges(state, [{ ...change, holder, ticketTypeId: null }]);
    expect(state.buyers.get('buyer')?.seats).toBe(1);
  });
});

describe('a reservation', () => {
  const reservation = reservationState({
    seats: new Map([['day', 3]]),
    redemptionCodeId: 'code_1',
    codeUses: 2,
  });
  const close = (to: 'fulfilled' | 'released' | 'expired'): Change => ({
    kind: 'close_reservation',
    id: reservation.id,
    to,
    fulfilment: null,
  });

  test('counts its seats and the uses of its code', () => {
    const state = stateOf({ codes: [codeState({ maxUses: 5 })], reservations: [reservation] });
    expect(counters(state)).toEqual({ ...none, reserved: 3, uses: 2 });
  });

  test.each(['fulfilled', 'released', 'expired'] as const)(
    'releases them once when it is %s',
    (to) => {
      const state = stateOf({ codes: [codeState({ maxUses: 5 })], reservations: [reservation] });
      applyChanges(state, [close(to), close(to)]);
      expect(counters(state)).toEqual(none);
      expect(state.reservations.get(reservation.id)?.state).toBe(to);
    },
  );

  test('that was not read throws when it is closed', () => {
    expect(() => applyChanges(stateOf({}), [close('released')])).toThrow('not read');
  });
});

describe('the waitlist', () => {
  const waitlist = (emails: string[], more = 0) =>
    stateOf({
      types: [typeState({ capacity: 0, waitlisted: more })],
      registrations: [
        registrationState('late-decided', 'pending', { waitlistOrder: 1 }),
        ...emails.map((email, n) =>
          registrationState(email, 'waitlisted', { waitlistOrder: 10 + n }),
        ),
        registrationState('newest', 'pending', { waitlistOrder: 100 }),
      ],
    });
  const waits = (state: AdmissionState) => state.types.get('day')?.waitlist;
  const toWaitlist = (email: string): Change => ({
    kind: 'set_status',
    id: `reg_${email}`,
    to: 'waitlisted',
    reason: null,
  });

  test('inserts a registration by its order of creation, not at the end', () => {
    const state = waitlist(['a', 'b']);
    applyChanges(state, [toWaitlist('newest'), toWaitlist('late-decided')]);
    expect(waits(state)).toEqual(['reg_late-decided', 'reg_a', 'reg_b', 'reg_newest']);
  });

  test('appends only while the loaded list is complete', () => {
    const state = waitlist(['a', 'b'], 5);
    applyChanges(state, [toWaitlist('newest'), toWaitlist('late-decided')]);
    expect(waits(state)).toEqual(['reg_late-decided', 'reg_a', 'reg_b']);
    expect(state.types.get('day')?.waitlisted).toBe(9);
  });

  test('appends new registrations in their order', () => {
    const state = waitlist(['a']);
    const change = { ticketTypeId: 'day', redemptionCodeId: null, orderId: null } as const;
    const register = (email: string): Change => ({
      kind: 'register',
      person: personOf(email),
      status: 'waitlisted',
      ...change,
    });
    applyChanges(state, [register('x'), register('y'), toWaitlist('newest')]);
    expect(waits(state)).toEqual(['reg_a', 'reg_newest', 'reg_x', 'reg_y']);
  });

  test('removes registrations that were promoted or cancelled, at any position', () => {
    const state = waitlist(['a', 'b', 'c']);
    applyChanges(state, [
      { kind: 'set_status', id: 'reg_b', to: 'cancelled', reason: null },
      { kind: 'set_status', id: 'reg_a', to: 'confirmed', reason: null },
    ]);
    expect(waits(state)).toEqual(['reg_c']);
    expect(counters(state)).toMatchObject({ confirmed: 1, waitlisted: 1 });
  });
});
