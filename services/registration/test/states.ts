import { applyChanges } from '../src/seats/apply-changes.ts';
import type {
  AddonState,
  AdmissionState,
  BuyerState,
  Change,
  CodeState,
  OtherOrder,
  Person,
  RegistrationState,
  ReservationState,
  TypeState,
} from '../src/seats/seats.rules.ts';

/** The time of all pure decisions in tests. */
export const now = new Date('2027-05-10T07:00:00.000Z');
export const fromNow = (ms: number): Date => new Date(now.getTime() + ms);

/** How long seats are offered to waitlisted registrations in tests. */
export const offerMs = 2000;

/** A type on sale without limits, by default with the id `day`. */
export const typeState = (fields: Partial<TypeState> = {}): TypeState => ({
  id: 'day',
  status: 'open',
  capacity: null,
  allowWaitlist: false,
  requiresApproval: false,
  opensAt: null,
  closesAt: null,
  priceAmount: 0,
  minPerOrder: null,
  maxPerOrder: null,
  confirmed: 0,
  waitlisted: 0,
  offered: 0,
  reserved: 0,
  waitlist: [],
  ...fields,
});

/** An add-on without limits, by default with the id `lunch`. */
export const addonState = (fields: Partial<AddonState> = {}): AddonState => ({
  id: 'lunch',
  capacity: null,
  opensAt: null,
  closesAt: null,
  minPerOrder: null,
  maxPerOrder: null,
  confirmed: 0,
  reserved: 0,
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

export const reservationState = (fields: Partial<ReservationState> = {}): ReservationState => ({
  id: 'ord_1',
  state: 'active',
  expiresAt: fromNow(1000),
  buyerEmail: 'buyer',
  seatCount: 1,
  seats: new Map([['day', 1]]),
  redemptionCodeId: null,
  codeUses: 0,
  fulfilment: null,
  offeredTo: [],
  offer: null,
  openSeat: null,
  ...fields,
});

/** A person with this email and the registration id `reg_<email>`. */
export const personOf = (email: string): Person => ({
  registrationId: `reg_${email}`,
  attendeeId: `att_${email}`,
  contactId: `con_${email}`,
  checkinCode: `CHK-${email}`,
  responses: null,
  email,
  normalEmail: email,
  name: null,
});

/**
 * A registration with the id `reg_<email>`; its `waitlistOrder` is its position in the list passed
 * to `stateOf`.
 */
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
  waitlistOrder: 0,
  offerId: null,
  offersMissed: 0,
  ...fields,
});

/** A state whose counters match its registrations and reservations. */
export function stateOf(input: {
  eventStatus?: AdmissionState['eventStatus'];
  isCancelled?: boolean;
  eventEndsAt?: Date | null;
  types?: TypeState[];
  addons?: AddonState[];
  registrations?: RegistrationState[];
  codes?: CodeState[];
  reservations?: ReservationState[];
  limits?: Partial<AdmissionState['limits']>;
  /** What buyers have besides the reservations and registrations. Always contains `buyer`. */
  buyers?: Record<string, BuyerState>;
  /** The other orders that list a registration, by its id. */
  otherOrders?: Record<string, OtherOrder[]>;
}): AdmissionState {
  const { eventStatus = 'published', types = [typeState()], registrations = [] } = input;
  const { codes = [], reservations = [] } = input;
  const state: AdmissionState = {
    now,
    eventStatus,
    isCancelled: input.isCancelled ?? false,
    eventEndsAt: input.eventEndsAt ?? null,
    limits: { maxHolds: 100, maxSeats: null, ...input.limits },
    offerMs,
    mayPromote: true,
    buyers: new Map(Object.entries({ buyer: { holds: 0, seats: 0 }, ...input.buyers })),
    types: new Map(types.map((type) => [type.id, type])),
    addons: new Map(input.addons?.map((addon) => [addon.id, addon])),
    delivered: new Map(),
    registrations: new Map(),
    details: new Map(),
    active: new Map(),
    codes: new Map(codes.map((code) => [code.key, code])),
    reservations: new Map(),
    otherOrders: new Map(Object.entries(input.otherOrders ?? {})),
  };
  for (const [n, registration] of registrations.entries()) {
    const { id, normalEmail, status, ticketTypeId } = registration;
    state.registrations.set(id, {
      ...registration,
      waitlistOrder: registration.waitlistOrder || n + 1,
    });
    const type = ticketTypeId === null ? undefined : state.types.get(ticketTypeId);
    const isInactive = status === 'cancelled' || status === 'rejected';
    if (!isInactive) state.active.set(normalEmail, id);
    const buyer = state.buyers.get(registration.buyerEmail ?? '');
    if (buyer && !isInactive) buyer.seats += 1;
    if (type && status === 'confirmed') {
      type.confirmed += 1;
      if (type.group) type.group.taken += 1;
    }
    if (type && status === 'waitlisted') {
      type.waitlisted += 1;
      type.waitlist.push(id);
    }
    const code = codes.find((one) => one.id === registration.redemptionCodeId);
    if (code && !isInactive) code.uses += 1;
  }
  for (const reservation of reservations) {
    if (reservation.state === 'active') applyChanges(state, [{ kind: 'reserve', reservation }]);
    else state.reservations.set(reservation.id, reservation);
  }
  return state;
}

/** Applies `changes` and returns the statuses of the registrations of these emails. */
export function statusesAfter(
  state: AdmissionState,
  changes: readonly Change[],
  emails: readonly string[],
): (string | undefined)[] {
  applyChanges(state, changes);
  return emails.map((email) => state.registrations.get(`reg_${email}`)?.status);
}
