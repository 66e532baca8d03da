import fc from 'fast-check';
import type { AdmissionRequest } from '../src/admission/requests.ts';
import { personOf } from './states.ts';

// Few of everything, so that requests meet.
const email = fc.integer({ min: 0, max: 15 });
const typeId = fc.constantFrom('day', 'day', 'jury', 'jury', 'night');
const order = fc.integer({ min: 0, max: 9 });
const codeKey = fc.constantFrom(null, null, 'FRIEND');
const emails = fc.uniqueArray(email, { minLength: 1, maxLength: 3 });
const kind = <Kind extends string>(name: Kind) => fc.constant(name);

const arbitraries = {
  register: fc.record({ kind: kind('register'), email, typeId, codeKey }),
  move: fc.record({
    kind: fc.constantFrom('approve', 'approve', 'reject', 'cancel'),
    nth: fc.nat(40),
  }),
  claim: fc.record({ kind: kind('claim'), order, typeId, emails, codeKey }),
  fulfil: fc.record({ kind: kind('fulfil'), order, retake: fc.boolean() }),
  close: fc.record({ kind: fc.constantFrom('release', 'revoke'), order }),
  wait: fc.record({ kind: kind('wait'), ms: fc.integer({ min: 0, max: 700 }) }),
  capacity: fc.record({
    kind: kind('capacity'),
    typeId,
    seats: fc.option(fc.integer({ min: 1, max: 6 })),
  }),
  approval: fc.record({ kind: kind('approval'), typeId, isAsked: fc.boolean() }),
};

type Made<Kind extends keyof typeof arbitraries> =
  (typeof arbitraries)[Kind] extends fc.Arbitrary<infer One> ? One : never;

/** Something that is asked of an event. */
export type Asked = Made<'register' | 'move' | 'claim' | 'fulfil' | 'close'>;
/** Something that happens to it between two batches. */
export type Happening = Made<'wait' | 'capacity' | 'approval'>;

const asked = fc.oneof(
  { weight: 6, arbitrary: arbitraries.register },
  { weight: 4, arbitrary: arbitraries.move },
  { weight: 3, arbitrary: arbitraries.claim },
  { weight: 3, arbitrary: arbitraries.fulfil },
  { weight: 2, arbitrary: arbitraries.close },
);
const happening = fc.oneof(arbitraries.wait, arbitraries.capacity, arbitraries.approval);

export const requests = fc.array(asked, { minLength: 1, maxLength: 60, size: 'max' });
/** Batches, with what happens before each of them. */
export const history = fc.array(
  fc.record({
    before: fc.array(happening, { maxLength: 2 }),
    batch: fc.array(asked, { maxLength: 8, size: 'max' }),
  }),
  { minLength: 1, maxLength: 30, size: 'max' },
);

type ClaimRequest = Extract<AdmissionRequest, { kind: 'claim' }>['request'];

/** Turns what is asked into requests; what it means depends on what was asked before and on nothing else. */
export function createRequests(): (asked: Asked) => AdmissionRequest {
  const claimed = new Map<number, ClaimRequest>();
  /** The ids of all who wanted to register, whether they could or not. */
  const wished: string[] = [];
  let count = 0;

  function personNo(n: number) {
    return { ...personOf(`p${n}`), registrationId: `reg_${count}_p${n}` };
  }

  // A fulfilment says what its claim has said, as an order does.
  function claimOf(
    of: Pick<Made<'claim'>, 'order'> & Partial<Omit<Made<'claim'>, 'kind'>>,
  ): ClaimRequest {
    const known = claimed.get(of.order);
    if (known) return known;
    const guests = of.emails ?? [of.order];
    const seats = guests.map((n) => ({
      person: personNo(n),
      ticketTypeId: of.typeId ?? 'day',
      inBundle: false,
    }));
    const said = { claimId: `ord_${of.order}`, buyerEmail: `p${guests[0]}`, seats, addonIds: [] };
    const claim = { ...said, codeKey: of.codeKey ?? null, isFree: true, holdMs: 1000 };
    claimed.set(of.order, claim);
    return claim;
  }

  return (one) => {
    count += 1;
    switch (one.kind) {
      case 'register': {
        const person = personNo(one.email);
        wished.push(person.registrationId);
        const { typeId: ticketTypeId, codeKey } = one;
        return { kind: 'register', request: { person, ticketTypeId, codeKey } };
      }
      case 'claim':
        return { kind: 'claim', request: claimOf(one) };
      case 'fulfil':
        return { kind: 'fulfil', request: { ...claimOf(one), retake: one.retake } };
      case 'release':
        return { kind: 'release', claimId: `ord_${one.order}`, onlyIfOver: false };
      case 'revoke':
        return { kind: 'revoke', orderId: `ord_${one.order}` };
      default: {
        const registrationId = wished[one.nth % Math.max(1, wished.length)] ?? 'reg_none';
        return { kind: one.kind, registrationId, reason: null };
      }
    }
  };
}
