import { describe, expect, test } from 'vitest';
import {
  fromNow,
  registrationState,
  reservationState,
  stateOf,
  typeState,
} from '../../test/states.ts';
import { decideBatch } from '../admission/decide-batch.ts';
import type { AdmissionRequest } from '../admission/requests.ts';
import type { RegistrationState, TypeState } from '../seats/seats.rules.ts';

const orderId = 'ord_1';

const ofOrder = (email: string) =>
  registrationState(email, 'confirmed', { ticketTypeId: 'hour', orderId });

/** An order of the confirmed `reg_a` and `reg_b` of the type `hour`; `day` costs more. */
function state({
  day = {},
  hour = {},
  others = [],
}: {
  day?: Partial<TypeState>;
  hour?: Partial<TypeState>;
  others?: RegistrationState[];
} = {}) {
  return stateOf({
    types: [typeState({ id: 'hour', ...hour }), typeState({ priceAmount: 900, ...day })],
    registrations: [ofOrder('a'), ofOrder('b'), ...others],
    reservations: [
      reservationState({
        state: 'fulfilled',
        fulfilment: {
          seats: ['reg_a', 'reg_b'].map((registrationId) => ({
            ...{ registrationId, created: true, amount: 100 },
          })),
          addonRegistrationId: null,
        },
      }),
    ],
  });
}

const change = (holderIds: string[], changeId = 'quo_1') => ({
  ...{ orderId, changeId, counts: [] },
  seats: holderIds.map((holderId) => ({ holderId, ticketTypeId: 'day', amount: 900 })),
});
const hold = (holderIds: string[], changeId?: string): AdmissionRequest => ({
  kind: 'hold_types',
  input: { ...change(holderIds, changeId), reservationMs: 1000 },
});
const take = (...holderIds: string[]): AdmissionRequest => ({
  kind: 'change_types',
  input: { ...change(holderIds), isFinal: true, again: false },
});
const release: AdmissionRequest = {
  ...{ kind: 'release', reservationId: 'quo_1', onlyIfExpired: false },
};
const outcomesOf = (read: ReturnType<typeof state>, ...requests: AdmissionRequest[]) =>
  decideBatch(read, requests).results;

const registrationPerson = {
  ...{ registrationId: 'reg_c', attendeeId: 'att_c', contactId: 'con_c', checkinCode: 'CHK-c' },
  ...{ responses: null, name: null },
};

const held = { outcome: 'held', expiresAt: fromNow(1000) };
const refused = (reason: string, fields: object = {}) => ({
  ...{ outcome: 'refused', reason, ...fields },
});

describe('a hold of dearer types', () => {
  test('keeps their seats, and the former ones stay as they are', () => {
    const read = state({ day: { capacity: 2 } });
    expect(outcomesOf(read, hold(['reg_a', 'reg_b']))).toMatchObject([held]);
    expect(read.types.get('day')).toMatchObject({ confirmed: 0, reserved: 2 });
    expect(read.types.get('hour')).toMatchObject({ confirmed: 2, reserved: 0 });
    expect(outcomesOf(read, hold(['reg_a'], 'quo_2'))).toEqual([refused('SOLD_OUT', { seat: 0 })]);
  });

  test('is decided once', () => {
    const read = state();
    expect(outcomesOf(read, hold(['reg_a']), hold(['reg_a', 'reg_b']))).toMatchObject([held, held]);
    expect(read.types.get('day')).toMatchObject({ reserved: 1 });
  });

  test('of all seats or none', () => {
    const read = state({ day: { capacity: 1 } });
    expect(outcomesOf(read, hold(['reg_a', 'reg_b']))).toEqual([refused('SOLD_OUT', { seat: 1 })]);
    expect(read.types.get('day')).toMatchObject({ reserved: 0 });
  });

  test('needs room in a capacity group beside the former seats', () => {
    // Its two seats are those of the order.
    const full = { id: 'hall', capacity: 2, taken: 0 };
    const read = state({ day: { group: full }, hour: { group: full } });
    expect(outcomesOf(read, hold(['reg_a']))).toEqual([refused('SOLD_OUT', { seat: 0 })]);
    // The change itself gives its own seat up.
    expect(outcomesOf(read, take('reg_a'))).toMatchObject([{ outcome: 'changed' }]);
  });

  test('follows the rules of a sale, and stores no refusal', () => {
    const read = state({ day: { status: 'closed' } });
    const block = refused('NOT_ON_SALE', { seat: 0, block: 'closed' });
    expect(outcomesOf(read, hold(['reg_a']))).toEqual([block]);
    Object.assign(read.types.get('day') ?? {}, { status: 'open' });
    expect(outcomesOf(read, hold(['reg_a']))).toMatchObject([held]);
  });

  test('of an order that registration does not have is unknown', () => {
    const read = state();
    read.reservations.delete(orderId);
    expect(outcomesOf(read, hold(['reg_a']))).toEqual([{ outcome: 'unknown' }]);
  });

  test('stays closed if it was released before it arrived', () => {
    expect(outcomesOf(state(), release, hold(['reg_a']))).toMatchObject([
      { outcome: 'released' },
      refused('CLOSED'),
    ]);
  });
});

describe('a change whose seats are held', () => {
  test('takes them, also from a type that is sold out or closed meanwhile', () => {
    const read = state({ day: { capacity: 2 } });
    outcomesOf(read, hold(['reg_a', 'reg_b']));
    Object.assign(read.types.get('day') ?? {}, { status: 'closed', capacity: 1 });
    expect(outcomesOf(read, take('reg_a', 'reg_b'))).toMatchObject([{ outcome: 'changed' }]);
    expect(read.types.get('day')).toMatchObject({ confirmed: 2, reserved: 0 });
    expect(read.types.get('hour')).toMatchObject({ confirmed: 0 });
    expect(read.reservations.get('quo_1')?.state).toBe('released');
    expect(outcomesOf(read, take('reg_a', 'reg_b'))).toMatchObject([{ outcome: 'changed' }]);
  });

  test('takes them before a waitlist', () => {
    const waiting = registrationState('w', 'waitlisted');
    const read = state({ day: { capacity: 1, allowWaitlist: true }, others: [waiting] });
    // The seat was held before somebody waited.
    Object.assign(read.types.get('day') ?? {}, { waitlist: [], waitlisted: 0 });
    expect(outcomesOf(read, hold(['reg_a']))).toMatchObject([held]);
    Object.assign(read.types.get('day') ?? {}, { waitlist: ['reg_w'], waitlisted: 1 });
    expect(outcomesOf(read, take('reg_a'))).toMatchObject([{ outcome: 'changed' }]);
    expect(read.registrations.get('reg_w')?.status).toBe('waitlisted');
  });

  test('gets none if one of its seats is cancelled, and the hold ends', () => {
    const read = state({ day: { capacity: 2 } });
    outcomesOf(read, hold(['reg_a', 'reg_b']), { kind: 'cancel', registrationId: 'reg_b' });
    expect(outcomesOf(read, take('reg_a', 'reg_b'))).toMatchObject([
      refused('SEAT_CANCELLED', { seat: 1 }),
    ]);
    expect(read.types.get('day')).toMatchObject({ confirmed: 0, reserved: 0 });
    expect(read.registrations.get('reg_a')?.ticketTypeId).toBe('hour');
  });

  test('gets none in a cancelled event', () => {
    const read = state();
    outcomesOf(read, hold(['reg_a']));
    read.isCancelled = true;
    expect(outcomesOf(read, take('reg_a'))).toMatchObject([refused('EVENT_ARCHIVED')]);
  });

  test('is decided as any other one when its hold has ended', () => {
    const read = state({ day: { capacity: 1 } });
    outcomesOf(read, hold(['reg_a']));
    read.now = fromNow(1000);
    const order: AdmissionRequest = {
      kind: 'register',
      input: {
        person: { ...registrationPerson, normalEmail: 'c', email: 'c' },
        ...{ ticketTypeId: 'day', codeKey: null },
      },
    };
    expect(outcomesOf(read, order, take('reg_a'))).toMatchObject([
      { outcome: 'registered' },
      refused('SOLD_OUT', { seat: 0 }),
    ]);
  });
});

test('the end of a hold gives its seats to the waitlist in the same decision', () => {
  const read = state({ day: { capacity: 1, allowWaitlist: true } });
  outcomesOf(read, hold(['reg_a']));
  const input = { person: { ...registrationPerson, normalEmail: 'c', email: 'c' } };
  const waiting = { ...input, ticketTypeId: 'day', codeKey: null };
  Object.assign(read.types.get('day') ?? {}, { priceAmount: 0 });
  outcomesOf(read, { kind: 'register', input: waiting });
  expect(read.registrations.get('reg_c')?.status).toBe('waitlisted');
  read.now = fromNow(1000);
  outcomesOf(read, { kind: 'promote' });
  expect(read.registrations.get('reg_c')?.status).toBe('confirmed');
  expect(read.types.get('day')).toMatchObject({ confirmed: 1, reserved: 0 });
});
