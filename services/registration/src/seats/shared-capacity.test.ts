import { describe, expect, test } from 'vitest';
import {
  fromNow,
  personOf,
  registrationState,
  reservationState,
  stateOf,
  statusesAfter,
  typeState,
} from '../../test/states.ts';
import { decideBatch } from '../admission/decide-batch.ts';
import { decideChange } from '../registrations/changes.rules.ts';
import { decideRegistration } from '../registrations/registrations.rules.ts';
import { decideFulfilment } from '../reservations/fulfilment.rules.ts';
import { decideReservation } from '../reservations/reservations.rules.ts';
import { applyChanges } from './apply-changes.ts';
import { canPromoteMore, decidePromotions } from './promotion/promotion.rules.ts';
import type { AdmissionState, RegistrationState, TypeState } from './seats.rules.ts';

interface Hall {
  capacity: number;
  day?: Partial<TypeState>;
  night?: Partial<TypeState>;
  registrations?: RegistrationState[];
}

/** Two types, `day` and `night`, that share a capacity, and one that does not. */
function hallOf({ capacity, day = {}, night = {}, registrations = [] }: Hall): AdmissionState {
  const taken = [day, night].reduce(
    (sum, { confirmed = 0, reserved = 0 }) => sum + confirmed + reserved,
    0,
  );
  const group = { id: 'cgp_hall', capacity, taken };
  return stateOf({
    types: [
      typeState({ ...day, group }),
      typeState({ id: 'night', ...night, group }),
      typeState({ id: 'free' }),
    ],
    registrations,
  });
}

const takenOf = (state: AdmissionState) => state.types.get('day')?.group?.taken;

const register = (state: AdmissionState, ticketTypeId: string) =>
  decideRegistration(state, { person: personOf('x'), ticketTypeId, codeKey: null });

const order = (...typeIds: string[]) => ({
  reservationId: 'ord_1',
  buyerEmail: 'buyer',
  seats: typeIds.map((ticketTypeId, n) => ({
    person: personOf(`p${n}`),
    ticketTypeId,
    inBundle: false,
  })),
  addonIds: [],
  codeKey: null,
  acceptsApproval: false,
  reservationMs: 1000,
});

describe('a registration', () => {
  test.each<[string, Hall, string, string]>([
    [
      'gets the last seat of the group',
      { capacity: 3, day: { confirmed: 2 } },
      'night',
      'registered',
    ],
    ['gets none of a full group', { capacity: 2, day: { confirmed: 2 } }, 'night', 'sold_out'],
    ['counts held seats', { capacity: 2, day: { reserved: 2 } }, 'night', 'sold_out'],
    [
      'of another type is not affected',
      { capacity: 1, day: { confirmed: 1 } },
      'free',
      'registered',
    ],
    [
      'needs a seat of its own type, too',
      { capacity: 9, day: { capacity: 1, confirmed: 1 } },
      'day',
      'sold_out',
    ],
    [
      'gets none of a group below what is sold',
      { capacity: 1, day: { confirmed: 4 } },
      'night',
      'sold_out',
    ],
  ])('%s', (_, hall, typeId, outcome) => {
    expect(register(hallOf(hall), typeId).outcome).toBe(outcome);
  });

  test('stays behind the waitlist of another type of the group', () => {
    const waiting = [registrationState('a', 'waitlisted')];
    const state = { ...hallOf({ capacity: 1, registrations: waiting }), mayPromote: false };
    expect(register(state, 'night').outcome).toBe('sold_out');
  });
});

describe('an order', () => {
  test('of two types needs all its seats of the group', () => {
    const state = hallOf({ capacity: 3, day: { confirmed: 1 } });
    const refusal = { reason: 'SOLD_OUT', seatsLeft: 2, seatsRequested: 3 };
    const three = order('free', 'night', 'day', 'night');
    expect(decideReservation(state, three)).toMatchObject({ ...refusal, seat: 1 });
    const decision = decideReservation(state, order('free', 'night', 'day'));
    if (decision.outcome !== 'reserved') throw new Error(decision.outcome);
    applyChanges(state, decision.changes);
    expect(takenOf(state)).toBe(3);
    expect(register(state, 'day').outcome).toBe('sold_out');
  });

  test('that has expired gets its seats again only if the group has them', () => {
    const late = reservationState({ state: 'expired', expiresAt: fromNow(-1) });
    const outcomeOf = (capacity: number) => {
      const state = hallOf({ capacity, night: { confirmed: 2 } });
      state.reservations.set(late.id, late);
      return decideFulfilment(state, { ...order('day'), reacquire: true }).outcome;
    };
    expect([outcomeOf(2), outcomeOf(3)]).toEqual(['unfulfillable', 'fulfilled']);
  });
});

describe('the waitlists of a group', () => {
  const waiting = (email: string, ticketTypeId: string) =>
    registrationState(email, 'waitlisted', { ticketTypeId });
  const emails = ['a', 'b', 'c'];

  test.each([
    [1, ['confirmed', 'waitlisted', 'waitlisted']],
    [2, ['confirmed', 'confirmed', 'waitlisted']],
    [9, ['confirmed', 'confirmed', 'confirmed']],
  ])('get %d seats in the order of all of them', (capacity, statuses) => {
    const registrations = [waiting('a', 'night'), waiting('b', 'day'), waiting('c', 'night')];
    const state = hallOf({ capacity, registrations });
    expect(statusesAfter(state, decidePromotions(state), emails)).toEqual(statuses);
    expect(takenOf(state)).toBe(Math.min(capacity, 3));
    expect(canPromoteMore(state)).toBe(false);
  });

  test.each([
    ['stay behind those of another type that are not read yet', true, 'waitlisted'],
    ['get the seats that those of another type leave', false, 'confirmed'],
  ])('%s', (_, waitlistContinues, status) => {
    const registrations = [waiting('a', 'day'), waiting('b', 'day'), waiting('c', 'night')];
    const state = hallOf({ capacity: 3, day: { waitlistContinues }, registrations });
    const day = state.types.get('day');
    if (day && waitlistContinues) day.waitlisted += 1;
    const statuses = statusesAfter(state, decidePromotions(state), emails);
    expect(statuses).toEqual(['confirmed', 'confirmed', status]);
    expect(canPromoteMore(state)).toBe(waitlistContinues);
  });

  test('of a type without seats of its own delays no other type', () => {
    const registrations = [waiting('a', 'day'), waiting('b', 'day'), waiting('c', 'night')];
    const day = { capacity: 2, waitlistContinues: true };
    const state = hallOf({ capacity: 3, day, registrations });
    const statuses = statusesAfter(state, decidePromotions(state), emails);
    expect(statuses).toEqual(['confirmed', 'confirmed', 'confirmed']);
  });

  test('get a seat in the order of one batch, across types', () => {
    const state = hallOf({
      capacity: 1,
      day: { allowWaitlist: true },
      night: { allowWaitlist: true },
    });
    const join = (email: string, ticketTypeId: string) =>
      ({
        kind: 'register',
        input: { person: personOf(email), ticketTypeId, codeKey: null },
      }) as const;
    const requests = [join('x', 'day'), join('a', 'night'), join('b', 'day')];
    decideBatch(state, [...requests, { kind: 'cancel', registrationId: 'reg_x' }]);
    const statusOf = (email: string) => state.registrations.get(`reg_${email}`)?.status;
    expect([statusOf('a'), statusOf('b')]).toEqual(['confirmed', 'waitlisted']);
  });

  test('get the seat that a cancelled registration of another type releases', () => {
    const registrations = [registrationState('b', 'confirmed'), waiting('a', 'night')];
    const state = hallOf({ capacity: 1, registrations });
    decideBatch(state, [{ kind: 'cancel', registrationId: 'reg_b' }]);
    expect(state.registrations.get('reg_a')?.status).toBe('confirmed');
    expect(takenOf(state)).toBe(1);
  });
});

describe('a change of the ticket type', () => {
  const move = (hall: Hall, ticketTypeId: string) => {
    const state = hallOf({ ...hall, registrations: [registrationState('a', 'confirmed')] });
    const request = {
      ...{ registrationId: 'reg_a', name: undefined, holder: null, responses: null },
      ...{ ticketTypeId, expected: null },
    };
    const decision = decideChange(state, request);
    if (decision.outcome === 'changed') applyChanges(state, decision.changes);
    return [decision.outcome, takenOf(state)];
  };

  test('within a full group takes the seat along', () => {
    expect(move({ capacity: 1 }, 'night')).toEqual(['changed', 1]);
    const full = { capacity: 1, confirmed: 1 };
    expect(move({ capacity: 2, night: full }, 'night')).toEqual(['sold_out', 2]);
  });

  test('out of the group releases its seat', () => {
    expect(move({ capacity: 1 }, 'free')).toEqual(['changed', 0]);
  });
});
