import { describe, expect, test } from 'vitest';
import {
  codeState,
  personOf,
  registrationState,
  reservationState,
  stateOf,
} from '../../test/states.ts';
import { applyChanges } from '../seats/apply-changes.ts';
import { decideAssignment } from './assignment.rules.ts';
import { decideReturn, decideRevocation } from './closing.rules.ts';
import { decideFulfilment } from './fulfilment.rules.ts';

describe('a revocation of orders that list the same registration', () => {
  const other = (orderId: string) => ({ orderId, buyerEmail: `buyer of ${orderId}` });
  const fulfilled = (id: string) =>
    reservationState({ id, state: 'fulfilled', buyerEmail: `buyer of ${id}` });

  /** Revokes orders one after the other. Returns the owner and the status of the registration. */
  function afterRevoking(orderIds: string[], listedBy: string[], status = 'confirmed' as const) {
    const registration = registrationState('a', status, { orderId: 'ord_1' });
    const state = stateOf({
      registrations: [registration],
      reservations: ['ord_1', ...listedBy].map(fulfilled),
      otherOrders: { reg_a: listedBy.map(other) },
    });
    for (const orderId of orderIds) {
      applyChanges(state, decideRevocation(state, orderId).changes);
    }
    const left = state.registrations.get('reg_a');
    return [left?.orderId, left?.buyerEmail, left?.status, state.types.get('day')?.confirmed];
  }
  const ownedBy = (orderId: string) => [orderId, `buyer of ${orderId}`, 'confirmed', 1];

  test.each([
    [['ord_1'], ['ord_2'], ownedBy('ord_2')],
    [['ord_1'], ['ord_3', 'ord_2'], ownedBy('ord_2')],
    [['ord_2', 'ord_1'], ['ord_3', 'ord_2'], ownedBy('ord_3')],
    [['ord_1', 'ord_2'], ['ord_3', 'ord_2'], ownedBy('ord_3')],
    [['ord_2'], ['ord_2'], ['ord_1', 'a', 'confirmed', 1]],
    [['ord_1', 'ord_2'], ['ord_2'], ['ord_2', 'buyer of ord_2', 'cancelled', 0]],
    [['ord_2', 'ord_1'], ['ord_2'], ['ord_1', 'a', 'cancelled', 0]],
    [['ord_1', 'ord_1'], ['ord_2'], ownedBy('ord_2')],
    [['ord_1'], [], ['ord_1', 'a', 'cancelled', 0]],
  ])(
    'revoking %j leaves the registration of ord_1, which %j list, as %j',
    (revoked, listedBy, expected) => {
      expect(afterRevoking(revoked, listedBy)).toEqual(expected);
    },
  );

  test('keeps it for an order that is fulfilled in the same batch', () => {
    const state = stateOf({
      registrations: [registrationState('a', 'confirmed', { orderId: 'ord_1' })],
      reservations: [fulfilled('ord_1'), reservationState({ id: 'ord_2' })],
    });
    const request = {
      reservationId: 'ord_2',
      buyerEmail: 'buyer',
      seats: [{ person: personOf('a'), ticketTypeId: 'day', inBundle: false }],
      addonIds: [],
      codeKey: null,
      acceptsApproval: false,
      reservationMs: 1000,
      reacquire: false,
    };
    const decision = decideFulfilment(state, request);
    applyChanges(state, 'changes' in decision ? decision.changes : []);
    applyChanges(state, decideRevocation(state, 'ord_1').changes);
    expect(state.registrations.get('reg_a')).toMatchObject({
      orderId: 'ord_2',
      buyerEmail: 'buyer',
      status: 'confirmed',
    });
  });

  test('counts it as a seat of the buyer of the other order', () => {
    const state = stateOf({
      registrations: [
        registrationState('a', 'confirmed', { orderId: 'ord_1', buyerEmail: 'buyer' }),
      ],
      otherOrders: { reg_a: [other('ord_2')] },
      buyers: { 'buyer of ord_2': { holds: 0, seats: 0 } },
    });
    applyChanges(state, decideRevocation(state, 'ord_1').changes);
    expect(state.buyers.get('buyer')?.seats).toBe(0);
    expect(state.buyers.get('buyer of ord_2')?.seats).toBe(1);
  });
});

test('a revocation removes the add-ons of every recipient', () => {
  const addonRegistrationIds = [
    ['reg_a', 'reg_b'],
    ['reg_b', null],
  ];
  const fulfilment = { seats: [], addonRegistrationId: 'reg_c', addonRegistrationIds };
  const state = stateOf({
    reservations: [reservationState({ state: 'fulfilled', fulfilment })],
  });
  expect(decideRevocation(state, 'ord_1').changes).toEqual([
    ...['reg_c', 'reg_a', 'reg_b'].map((registrationId) => ({
      kind: 'remove_addons',
      registrationId,
      orderId: 'ord_1',
    })),
    { kind: 'unlist_registrations', orderId: 'ord_1', registrationIds: null },
  ]);
});

test('a revocation of registrations removes the add-ons of those that the order has', () => {
  const fulfilment = {
    seats: [],
    addonRegistrationId: null,
    addonRegistrationIds: [['reg_a', 'reg_b', 'reg_c']],
  };
  const state = stateOf({
    registrations: [
      registrationState('a', 'confirmed', { orderId: 'ord_1' }),
      registrationState('b', 'confirmed', { orderId: 'ord_1' }),
      registrationState('c', 'confirmed', { orderId: 'ord_2' }),
    ],
    reservations: [reservationState({ state: 'fulfilled', fulfilment })],
  });
  expect(decideRevocation(state, 'ord_1', ['reg_a', 'reg_c']).changes).toEqual([
    { kind: 'set_status', id: 'reg_a', to: 'cancelled', reason: null },
    { kind: 'remove_addons', registrationId: 'reg_a', orderId: 'ord_1' },
    { kind: 'unlist_registrations', orderId: 'ord_1', registrationIds: ['reg_a', 'reg_c'] },
  ]);
});

describe('units that an order returns', () => {
  const returned = (delivered: number, ...kept: number[]) => {
    const state = stateOf({ registrations: [registrationState('a', 'confirmed')] });
    const unlimited = { capacity: null, opensAt: null, closesAt: null, reserved: 0 };
    const limits = { minPerOrder: null, maxPerOrder: null };
    state.addons.set('tour', { id: 'tour', confirmed: 7, ...unlimited, ...limits });
    const units = { orderId: 'ord_1', addonId: 'tour', quantity: delivered };
    const ofOthers = { orderId: 'ord_2', addonId: 'tour', quantity: 2 };
    state.delivered.set('reg_a', [units, ofOthers]);
    for (const quantity of kept) {
      const one = { registrationId: 'reg_a', addonId: 'tour', quantity };
      applyChanges(state, decideReturn('ord_1', [one]).changes);
    }
    const left = state.delivered.get('reg_a')?.map(({ quantity }) => quantity);
    return [state.addons.get('tour')?.confirmed, left];
  };

  test.each<[string, [number, ...number[]], unknown[]]>([
    ['are on sale again', [5, 3], [5, [3, 2]]],
    ['are returned once', [5, 3, 3], [5, [3, 2]]],
    ['do not come back by a request that arrives late', [5, 1, 3], [3, [1, 2]]],
    ['leave nothing of the order', [5, 0], [2, [2]]],
    ['are none if it keeps all', [5, 5], [7, [5, 2]]],
  ])('%s', (_, kept, expected) => {
    expect(returned(...kept)).toEqual(expected);
  });
});

describe('a revocation of an order with open seats', () => {
  const openSeat = (id: string, orderId = 'ord_1') =>
    reservationState({
      id,
      expiresAt: null,
      buyerEmail: null,
      redemptionCodeId: 'code_1',
      codeUses: 1,
      openSeat: { orderId, ticketTypeId: 'day' },
    });
  const fulfilled = () =>
    stateOf({
      codes: [codeState()],
      reservations: [
        reservationState({
          state: 'fulfilled',
          fulfilment: { seats: [], addonRegistrationId: 'seat_1_1' },
        }),
        openSeat('seat_1_1'),
        openSeat('seat_1_2'),
        openSeat('seat_2_1', 'ord_2'),
      ],
    });

  test.each<[string, string[] | null, string[]]>([
    ['releases all of them', null, ['released', 'released', 'active']],
    ['releases the named one', ['seat_1_2'], ['active', 'released', 'active']],
    ['releases none of another order', ['seat_2_1'], ['active', 'active', 'active']],
  ])('%s, with its use of the code', (_, ids, expected) => {
    const state = fulfilled();
    const { changes } = decideRevocation(state, 'ord_1', ids);
    applyChanges(state, changes);
    const seats = ['seat_1_1', 'seat_1_2', 'seat_2_1'];
    expect(seats.map((id) => state.reservations.get(id)?.state)).toEqual(expected);
    const left = expected.filter((each) => each === 'active').length;
    expect(state.types.get('day')?.reserved).toBe(left);
    expect(state.codes.get('FRIEND')?.uses).toBe(left);
    expect(changes.some(({ kind }) => kind === 'remove_addons')).toBe(false);
  });

  test('cancels the registration of a seat that is named as open and assigned by now', () => {
    const state = fulfilled();
    const person = personOf('a');
    const request = { orderId: 'ord_1', seatId: 'seat_1_2', person };
    const assigned = decideAssignment(state, request);
    applyChanges(state, 'changes' in assigned ? assigned.changes : []);
    applyChanges(state, decideRevocation(state, 'ord_1', ['seat_1_2']).changes);
    expect(state.registrations.get('reg_a')?.status).toBe('cancelled');
    expect(state.reservations.get('seat_1_1')?.state).toBe('active');
  });
});
