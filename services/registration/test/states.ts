import { applyChanges } from '../src/admission/apply.ts';
import type {
  AdmissionState,
  BuyerState,
  Change,
  ClaimState,
  CodeState,
  Person,
  RegistrationState,
  TypeState,
} from '../src/admission/rules.ts';

/** The time of all pure decisions in tests. */
export const now = new Date('2027-05-10T07:00:00.000Z');
export const fromNow = (ms: number): Date => new Date(now.getTime() + ms);

/** A type on sale without limit, called `day`, unless told otherwise. */
export const typeState = (fields: Partial<TypeState> = {}): TypeState => ({
  id: 'day',
  status: 'open',
  capacity: null,
  allowWaitlist: false,
  requiresApproval: false,
  opensAt: null,
  closesAt: null,
  confirmed: 0,
  waitlisted: 0,
  held: 0,
  waiting: [],
  ...fields,
});

export const codeState = (fields: Partial<CodeState> = {}): CodeState => ({
  id: 'code_1',
  code: 'Friend',
  key: 'FRIEND',
  ticketTypeId: 'day',
  maxUses: 1,
  uses: 0,
  expiresAt: null,
  status: 'active',
  discount: null,
  ...fields,
});

export const claimState = (fields: Partial<ClaimState> = {}): ClaimState => ({
  id: 'ord_1',
  state: 'held',
  expiresAt: fromNow(1000),
  buyerEmail: 'buyer',
  seatCount: 1,
  seats: new Map([['day', 1]]),
  redemptionCodeId: null,
  codeUses: 0,
  fulfilment: null,
  ...fields,
});

/** Somebody with this email; the registration would be `reg_<email>`. */
export const personOf = (email: string): Person => ({
  registrationId: `reg_${email}`,
  attendeeId: `att_${email}`,
  contactId: `con_${email}`,
  checkinCode: `CHK-${email}`,
  email,
  normalEmail: email,
  name: null,
});

/** A registration with the id `reg_<email>`; its place is its turn in the list given to `stateOf`. */
export const registrationState = (
  email: string,
  status: RegistrationState['status'],
  fields: Partial<RegistrationState> = {},
): RegistrationState => ({
  id: `reg_${email}`,
  normalEmail: email,
  status,
  ticketTypeId: 'day',
  redemptionCodeId: null,
  orderId: null,
  buyerEmail: email,
  place: 0,
  ...fields,
});

/** A state in which the counters are what the registrations and claims make of them. */
export function stateOf(given: {
  eventStatus?: AdmissionState['eventStatus'];
  types?: TypeState[];
  registrations?: RegistrationState[];
  codes?: CodeState[];
  claims?: ClaimState[];
  limits?: Partial<AdmissionState['limits']>;
  /** What buyers have beyond the claims and registrations; `buyer` is always one of them. */
  buyers?: Record<string, BuyerState>;
}): AdmissionState {
  const { eventStatus = 'published', types = [typeState()], registrations = [] } = given;
  const { codes = [], claims = [] } = given;
  const state: AdmissionState = {
    now,
    eventStatus,
    limits: { maxHolds: 100, maxSeats: null, ...given.limits },
    buyers: new Map(Object.entries({ buyer: { holds: 0, seats: 0 }, ...given.buyers })),
    types: new Map(types.map((type) => [type.id, type])),
    registrations: new Map(),
    active: new Map(),
    codes: new Map(codes.map((code) => [code.key, code])),
    claims: new Map(),
  };
  for (const [n, registration] of registrations.entries()) {
    const { id, normalEmail, status, ticketTypeId } = registration;
    state.registrations.set(id, { ...registration, place: registration.place || n + 1 });
    const type = ticketTypeId === null ? undefined : state.types.get(ticketTypeId);
    const isOver = status === 'cancelled' || status === 'rejected';
    if (!isOver) state.active.set(normalEmail, id);
    const buyer = state.buyers.get(registration.buyerEmail ?? '');
    if (buyer && !isOver) buyer.seats += 1;
    if (type && status === 'confirmed') type.confirmed += 1;
    if (type && status === 'waitlisted') {
      type.waitlisted += 1;
      type.waiting.push(id);
    }
    const code = codes.find((one) => one.id === registration.redemptionCodeId);
    if (code && !isOver) code.uses += 1;
  }
  for (const claim of claims) {
    if (claim.state === 'held') applyChanges(state, [{ kind: 'hold', claim }]);
    else state.claims.set(claim.id, claim);
  }
  return state;
}

/** The statuses of these people's registrations after `changes`. */
export function statusesAfter(
  state: AdmissionState,
  changes: readonly Change[],
  emails: readonly string[],
): (string | undefined)[] {
  applyChanges(state, changes);
  return emails.map((email) => state.registrations.get(`reg_${email}`)?.status);
}
