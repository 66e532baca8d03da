import { describe, expect, test } from 'vitest';
import {
  personOf,
  registrationState,
  reservationState,
  stateOf,
  typeState,
} from '../../test/states.ts';
import { applyChanges } from '../seats/apply-changes.ts';
import type { AdmissionState } from '../seats/seats.rules.ts';
import { type ChangeRequest, decideChange } from './changes.rules.ts';

const holderOf = (email: string) => {
  const { registrationId: _, name: __, ...holder } = personOf(email);
  return holder;
};

const request = (fields: Partial<ChangeRequest> = {}): ChangeRequest => ({
  registrationId: 'reg_a',
  name: undefined,
  holder: null,
  ticketTypeId: null,
  responses: null,
  expected: null,
  ...fields,
});

const outcomeOf = (state: AdmissionState, fields: Partial<ChangeRequest>) =>
  decideChange(state, request(fields)).outcome;

/** The change of a registration that `fields` lead to. */
function changeOf(state: AdmissionState, fields: Partial<ChangeRequest>) {
  const decision = decideChange(state, request(fields));
  if (decision.outcome !== 'changed') throw new Error(decision.outcome);
  return decision.changes.find(({ kind }) => kind === 'change_registration');
}

const confirmed = registrationState('a', 'confirmed');
const statuses = ['pending', 'confirmed', 'waitlisted', 'rejected', 'cancelled'] as const;

describe('a change', () => {
  test.each(statuses)('of a registration that is %s', (status) => {
    const state = stateOf({ registrations: [registrationState('a', status)] });
    const isClosed = status === 'rejected' || status === 'cancelled';
    expect(outcomeOf(state, { name: 'Ada' })).toBe(isClosed ? 'closed' : 'changed');
  });

  test('of an unknown registration, or in an archived event', () => {
    expect(outcomeOf(stateOf({}), { name: 'Ada' })).toBe('unknown');
    const archived = stateOf({ eventStatus: 'archived', registrations: [confirmed] });
    expect(outcomeOf(archived, { name: 'Ada' })).toBe('event_archived');
  });

  test.each([['Ada'], [null], [undefined]])('to the name %j keeps all else', (name) => {
    const state = stateOf({ registrations: [confirmed] });
    expect(changeOf(state, { name })).toEqual({
      kind: 'change_registration',
      id: 'reg_a',
      name,
      holder: null,
      ticketTypeId: null,
      responses: null,
    });
  });
});

describe('a conditional change', () => {
  const details = {
    email: '"a"',
    name: '"Ada"',
    registrationTypeId: '"day"',
    responses: '{"diet":"vegan"}',
  };
  const conditional = () => {
    const state = stateOf({ registrations: [confirmed] });
    state.details.set('reg_a', details);
    return state;
  };

  test.each([
    [{}, 'changed'],
    [details, 'changed'],
    [{ ...details, email: '"b"' }, 'email'],
    [{ name: 'null' }, 'name'],
    [{ registrationTypeId: '"night"' }, 'registrationTypeId'],
    [{ ...details, responses: 'null' }, 'responses'],
  ])('of what is expected to be %j: %s', (expected, result) => {
    const decision = decideChange(conditional(), request({ name: 'Grace', expected }));
    expect('field' in decision ? decision.field : decision.outcome).toBe(result);
  });

  test('is compared with an earlier change of the batch', () => {
    const state = conditional();
    const first = request({ name: 'Grace', responses: { diet: 'none' }, expected: details });
    const decision = decideChange(state, first);
    applyChanges(state, 'changes' in decision ? decision.changes : []);
    expect(state.details.get('reg_a')).toEqual({
      ...details,
      name: '"Grace"',
      responses: '{"diet":"none"}',
    });
    expect(outcomeOf(state, { name: 'Ida', expected: details })).toBe('changed_meanwhile');
  });
});

describe('another email', () => {
  test('replaces the badge; another spelling of the same email does not', () => {
    const state = stateOf({ registrations: [confirmed] });
    expect(changeOf(state, { holder: holderOf('b') })).toMatchObject({
      holder: { normalEmail: 'b', checkinCode: 'CHK-b' },
    });
    const spelling = { ...holderOf('a'), email: 'A' };
    expect(changeOf(state, { holder: spelling })).toMatchObject({
      holder: { email: 'A', normalEmail: 'a', checkinCode: null },
    });
  });

  test.each([
    ['confirmed', 'attendee_registered'],
    ['pending', 'attendee_registered'],
    ['waitlisted', 'attendee_registered'],
    ['cancelled', 'changed'],
    ['rejected', 'changed'],
  ] as const)('whose registration is %s: %s', (status, outcome) => {
    const state = stateOf({ registrations: [confirmed, registrationState('b', status)] });
    expect(outcomeOf(state, { holder: holderOf('b') })).toBe(outcome);
  });

  test('and ticket type change together or not at all', () => {
    const state = stateOf({
      types: [typeState(), typeState({ id: 'night', priceAmount: 1 })],
      registrations: [confirmed],
    });
    expect(outcomeOf(state, { holder: holderOf('b'), ticketTypeId: 'night' })).toBe('price_higher');
    expect(state.active.has('b')).toBe(false);
  });
});

/** A tax that is added to prices, in basis points. */
const added = (percentage: number) => ({
  ...{ id: 'tax', name: 'VAT', percentage, mode: 'exclusive' as const },
});

describe('another ticket type', () => {
  const moved = (status: (typeof statuses)[number], type: object, price = 1000) => {
    const state = stateOf({
      types: [typeState({ priceAmount: price }), typeState({ id: 'night', ...type })],
      registrations: [registrationState('a', status)],
    });
    return outcomeOf(state, { ticketTypeId: 'night' });
  };
  const full = { capacity: 1, confirmed: 1 };

  test.each([
    ['that costs more', { priceAmount: 1001 }, 'price_higher'],
    ['of the same price', { priceAmount: 1000 }, 'changed'],
    ['that is cheaper', { priceAmount: 999 }, 'changed'],
    ['that costs more with its tax', { priceAmount: 901, taxRate: added(1111) }, 'price_higher'],
    ['that costs as much with its tax', { priceAmount: 901, taxRate: added(1099) }, 'changed'],
    ['that is archived', { status: 'archived' }, 'type_archived'],
    ['that is a draft', { status: 'draft' }, 'changed'],
    ['that is closed', { status: 'closed' }, 'changed'],
    ['with an available seat', { capacity: 1 }, 'changed'],
    ['whose seats are taken', full, 'sold_out'],
    ['whose seats are reserved', { capacity: 1, reserved: 1 }, 'sold_out'],
    ['whose seats are for the waitlist', { capacity: 2, waitlisted: 1 }, 'sold_out'],
    ['that is full, with a waitlist', { ...full, allowWaitlist: true }, 'sold_out'],
    ['that requires approval', { requiresApproval: true }, 'changed'],
  ] as const)('%s, for a confirmed registration', (_, type, outcome) => {
    expect(moved('confirmed', type)).toBe(outcome);
  });

  test.each([
    ['waitlisted', { capacity: 1 }, 'changed'],
    ['waitlisted', full, 'sold_out'],
    ['waitlisted', { ...full, allowWaitlist: true }, 'changed'],
    ['pending', full, 'sold_out'],
    ['pending', { ...full, requiresApproval: true }, 'changed'],
  ] as const)('for a registration that is %s: %j', (status, type, outcome) => {
    expect(moved(status, type)).toBe(outcome);
  });

  /** Its waitlist has another registration. */
  const waiting = { ...full, allowWaitlist: true };
  const other = registrationState('z', 'waitlisted', { ticketTypeId: 'night' });

  /** Status and waitlist of the type after a move from one of the price 1000. */
  const after = (status: (typeof statuses)[number], type: object, orderId: string | null) => {
    const state = stateOf({
      types: [typeState({ priceAmount: 1000 }), typeState({ id: 'night', ...type })],
      registrations: [
        registrationState('a', status, { orderId }),
        ...(type === waiting ? [other] : []),
      ],
    });
    const decision = decideChange(state, request({ ticketTypeId: 'night' }));
    applyChanges(state, 'changes' in decision ? decision.changes : []);
    const { confirmed, waitlisted, waitlist } = state.types.get('night') ?? typeState();
    expect(state.types.get('day')).toMatchObject({ confirmed: 0, waitlisted: 0, waitlist: [] });
    return [state.registrations.get('reg_a')?.status, confirmed, waitlisted, waitlist.join()];
  };

  test.each([
    ['admits an application', 'pending', {}, null, ['confirmed', 1, 0, '']],
    [
      'lets an application wait behind the others of a full type',
      'pending',
      waiting,
      null,
      ['waitlisted', 1, 2, 'reg_z,reg_a'],
    ],
    [
      'lets an application wait for an offer of a type with a price',
      'pending',
      { priceAmount: 1000 },
      null,
      ['waitlisted', 0, 1, 'reg_a'],
    ],
    [
      'admits an application whose order has paid the price',
      'pending',
      { priceAmount: 1000 },
      'ord_1',
      ['confirmed', 1, 0, ''],
    ],
    [
      'leaves an application to the approval of the other type',
      'pending',
      { requiresApproval: true },
      null,
      ['pending', 0, 0, ''],
    ],
    [
      'counts as the approval of a confirmed registration',
      'confirmed',
      { requiresApproval: true },
      null,
      ['confirmed', 1, 0, ''],
    ],
    [
      'counts as the approval of a waitlisted registration',
      'waitlisted',
      { requiresApproval: true },
      null,
      ['waitlisted', 0, 1, 'reg_a'],
    ],
  ] as const)('%s', (_, status, type, orderId, expected) => {
    expect(after(status, type, orderId)).toEqual(expected);
  });

  test('that the event does not have is unknown, the present one is no change', () => {
    const state = stateOf({ types: [typeState(full)], registrations: [confirmed] });
    expect(outcomeOf(state, { ticketTypeId: 'night' })).toBe('type_unknown');
    expect(changeOf(state, { ticketTypeId: 'day' })).toMatchObject({ ticketTypeId: null });
  });

  test('without a price is allowed for a registration without a type, one with a price is not', () => {
    const types = [typeState(), typeState({ id: 'night', priceAmount: 1 })];
    const state = stateOf({ types, registrations: [{ ...confirmed, ticketTypeId: null }] });
    expect(outcomeOf(state, { ticketTypeId: 'day' })).toBe('changed');
    expect(outcomeOf(state, { ticketTypeId: 'night' })).toBe('price_higher');
  });
});

describe('another ticket type, for a registration of an order', () => {
  const moved = (paid: number | undefined, target: number, list = 1000) => {
    const registration = { ...registrationState('a', 'confirmed'), orderId: 'ord_1' };
    const seats = [
      { registrationId: 'reg_b', created: true, amount: 1 },
      { registrationId: 'reg_a', created: true, amount: paid },
    ];
    const state = stateOf({
      types: [typeState({ priceAmount: list }), typeState({ id: 'night', priceAmount: target })],
      registrations: [registration],
      reservations: [
        reservationState({
          id: 'ord_1',
          state: 'fulfilled',
          fulfilment: { seats, addonRegistrationId: null },
        }),
      ],
    });
    return outcomeOf(state, { ticketTypeId: 'night' });
  };

  test.each([
    ['of what was paid', 1000, 1000, 1000, 'changed'],
    ['of the list price, which was raised since', 1000, 5000, 5000, 'price_higher'],
    ['of what was paid, above a list price that was lowered since', 1000, 1000, 10, 'changed'],
    ['of the list price, after a discount', 500, 1000, 1000, 'price_higher'],
    ['of the list price, after a full discount', 0, 1, 1000, 'price_higher'],
    ['without a price', 0, 0, 1000, 'changed'],
    ['of the list price, if it is unknown what was paid', undefined, 1000, 1000, 'changed'],
    ['above the list price, if it is unknown what was paid', undefined, 1001, 1000, 'price_higher'],
  ] as const)('%s', (_, paid, target, list, outcome) => {
    expect(moved(paid, target, list)).toBe(outcome);
  });
});

describe('with an offer', () => {
  const offered = (state: 'active' | 'taken') => {
    const offer = { registrationId: 'reg_a', takenBy: state === 'taken' ? 'ord_1' : null };
    return stateOf({
      types: [typeState({ priceAmount: 1000, capacity: 1 }), typeState({ id: 'night' })],
      registrations: [registrationState('a', 'waitlisted')],
      reservations: [reservationState({ id: 'offer_1', state: 'active', offer, seatCount: 0 })],
    });
  };
  const take = (state: AdmissionState) =>
    applyChanges(state, [{ kind: 'take_offer', id: 'offer_1', orderId: 'ord_1' }]);

  test('another ticket type gives the offer up, another email keeps it', () => {
    const state = offered('active');
    expect(decideChange(state, request({ holder: holderOf('b') }))).toMatchObject({
      changes: [{ kind: 'change_registration' }],
    });
    const decision = decideChange(state, request({ ticketTypeId: 'night' }));
    expect(decision).toMatchObject({
      changes: [
        { kind: 'close_reservation', id: 'offer_1', to: 'expired' },
        { kind: 'change_registration', ticketTypeId: 'night' },
      ],
    });
    applyChanges(state, 'changes' in decision ? decision.changes : []);
    expect(state.types.get('day')).toMatchObject({ waitlisted: 0, offered: 0, reserved: 0 });
    expect(state.types.get('night')).toMatchObject({ waitlisted: 1, waitlist: ['reg_a'] });
  });

  test('that an order has taken, neither changes; the name does', () => {
    const state = offered('taken');
    take(state);
    expect(outcomeOf(state, { holder: holderOf('b') })).toBe('offer_taken');
    expect(outcomeOf(state, { ticketTypeId: 'night' })).toBe('offer_taken');
    expect(outcomeOf(state, { name: 'Ada' })).toBe('changed');
  });
});
