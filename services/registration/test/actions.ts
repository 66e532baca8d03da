import fc from 'fast-check';
import type { AdmissionRequest } from '../src/admission/requests.ts';
import { personOf } from './states.ts';

// Few distinct values, so that requests conflict.
const email = fc.integer({ min: 0, max: 15 });
const typeId = fc.constantFrom(
  ...['day', 'day', 'jury', 'jury', 'night', 'late', 'late', 'paid', 'paid', 'paid'],
);
const groupId = fc.constantFrom('hall', 'room');
const order = fc.integer({ min: 0, max: 9 });
const codeKey = fc.constantFrom(null, null, 'FRIEND');
const emails = fc.uniqueArray(email, { minLength: 1, maxLength: 3 });
const kind = <Kind extends string>(name: Kind) => fc.constant(name);

const arbitraries = {
  register: fc.record({ kind: kind('register'), email, typeId, codeKey }),
  statusChange: fc.record({
    kind: fc.constantFrom('approve', 'approve', 'reject', 'cancel', 'confirm'),
    nth: fc.nat(40),
  }),
  change: fc.record({
    kind: kind('change'),
    nth: fc.nat(40),
    email: fc.option(email),
    typeId: fc.option(typeId),
  }),
  reserve: fc.record({
    kind: kind('reserve'),
    order,
    typeId,
    emails,
    codeKey,
    /** Units of the add-on for the buyer, besides one for each attendee if they are named. */
    units: fc.option(fc.integer({ min: 1, max: 4 })),
    namesRecipients: fc.boolean(),
    hasSeats: fc.constantFrom(true, true, true, false),
  }),
  fulfil: fc.record({ kind: kind('fulfil'), order, reacquire: fc.boolean() }),
  close: fc.record({ kind: fc.constantFrom('release', 'revoke'), order }),
  wait: fc.record({ kind: kind('wait'), ms: fc.integer({ min: 0, max: 700 }) }),
  capacity: fc.record({
    kind: kind('capacity'),
    typeId,
    seats: fc.option(fc.integer({ min: 1, max: 6 })),
  }),
  group: fc.record({ kind: kind('group'), groupId, seats: fc.integer({ min: 1, max: 8 }) }),
  member: fc.record({ kind: kind('member'), typeId, groupId: fc.option(groupId) }),
  units: fc.record({ kind: kind('units'), units: fc.option(fc.integer({ min: 1, max: 8 })) }),
  approval: fc.record({ kind: kind('approval'), typeId, requiresApproval: fc.boolean() }),
  price: fc.record({ kind: kind('price'), typeId, amount: fc.constantFrom(0, 2500, 2500) }),
};

type Generated<Kind extends keyof typeof arbitraries> =
  (typeof arbitraries)[Kind] extends fc.Arbitrary<infer One> ? One : never;

/** A generated request to an event. */
export type RequestInput = Generated<
  'register' | 'statusChange' | 'change' | 'reserve' | 'fulfil' | 'close'
>;
/** A change of the event between two batches. */
export type StateChange = Generated<
  'wait' | 'capacity' | 'group' | 'member' | 'units' | 'approval' | 'price'
>;

const requestInput = fc.oneof(
  { weight: 6, arbitrary: arbitraries.register },
  { weight: 4, arbitrary: arbitraries.statusChange },
  { weight: 2, arbitrary: arbitraries.change },
  { weight: 3, arbitrary: arbitraries.reserve },
  { weight: 3, arbitrary: arbitraries.fulfil },
  { weight: 2, arbitrary: arbitraries.close },
);
const stateChange = fc.oneof(
  arbitraries.wait,
  arbitraries.capacity,
  arbitraries.group,
  arbitraries.member,
  arbitraries.units,
  arbitraries.approval,
  arbitraries.price,
);

export const requests = fc.array(requestInput, { minLength: 1, maxLength: 60, size: 'max' });
/** Batches, each with the changes before it. */
export const history = fc.array(
  fc.record({
    before: fc.array(stateChange, { maxLength: 2 }),
    batch: fc.array(requestInput, { maxLength: 8, size: 'max' }),
  }),
  { minLength: 1, maxLength: 30, size: 'max' },
);

type ReserveRequest = Extract<AdmissionRequest, { kind: 'reserve' }>['input'];

/** Turns generated input into requests. The result depends only on the input so far. */
export function createRequests(): (input: RequestInput) => AdmissionRequest {
  const requestsByOrder = new Map<number, ReserveRequest>();
  /** The registration ids of all registration requests, successful or not. */
  const requestedIds: string[] = [];
  let count = 0;

  function personNo(n: number) {
    return { ...personOf(`p${n}`), registrationId: `reg_${count}_p${n}` };
  }

  const nthRegistration = (nth: number): string =>
    requestedIds[nth % Math.max(1, requestedIds.length)] ?? 'reg_none';

  // A fulfilment sends the same request as its reservation, as an order does.
  function reserveRequestOf(
    of: Pick<Generated<'reserve'>, 'order'> & Partial<Omit<Generated<'reserve'>, 'kind'>>,
  ): ReserveRequest {
    const existing = requestsByOrder.get(of.order);
    if (existing) return existing;
    const guests = of.emails ?? [of.order];
    const { hasSeats = true, units = null, namesRecipients = false } = of;
    const attendees = hasSeats || units === null ? guests : [];
    const seats = attendees.map((n) => ({
      person: personNo(n),
      ticketTypeId: of.typeId ?? 'day',
      inBundle: false,
    }));
    const fields = {
      reservationId: `ord_${of.order}`,
      buyerEmail: `p${guests[0]}`,
      seats,
      ...(units === null ? { addonIds: [] } : addonsOf(units, namesRecipients ? guests : [])),
    };
    const request = {
      ...fields,
      codeKey: of.codeKey ?? null,
      acceptsApproval: true,
      reservationMs: 1000,
    };
    requestsByOrder.set(of.order, request);
    return request;
  }

  return (input) => {
    count += 1;
    switch (input.kind) {
      case 'register': {
        const person = personNo(input.email);
        requestedIds.push(person.registrationId);
        const { typeId: ticketTypeId, codeKey } = input;
        return { kind: 'register', input: { person, ticketTypeId, codeKey } };
      }
      case 'change': {
        const { registrationId: _, name, ...holder } = personNo(input.email ?? 0);
        return {
          kind: 'change',
          input: {
            registrationId: nthRegistration(input.nth),
            name,
            holder: input.email === null ? null : holder,
            ticketTypeId: input.typeId,
            responses: null,
            expected: null,
          },
        };
      }
      case 'reserve':
        return { kind: 'reserve', input: reserveRequestOf(input) };
      case 'fulfil':
        return {
          kind: 'fulfil',
          input: { ...reserveRequestOf(input), reacquire: input.reacquire },
        };
      case 'release':
        return { kind: 'release', reservationId: `ord_${input.order}`, onlyIfExpired: false };
      case 'revoke':
        return { kind: 'revoke', orderId: `ord_${input.order}` };
      default:
        return { kind: input.kind, registrationId: nthRegistration(input.nth), reason: null };
    }
  };
}

/** Units of the add-on: one for each named person, and the others for the buyer. */
const addonsOf = (ofBuyer: number, named: readonly number[]) => ({
  addonIds: ['lunch'],
  addonUnits: [{ addonId: 'lunch', quantity: ofBuyer + named.length, inBundle: false }],
  ...(named.length > 0 && {
    addons: [
      { addonId: 'lunch', emails: named.map((n) => `p${n}`) },
      { addonId: 'lunch', emails: [] },
    ],
  }),
});
