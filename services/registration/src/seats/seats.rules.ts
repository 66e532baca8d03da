import type { EventStatus } from '@event-api/contracts/http/events';
import type { FormResponses } from '@event-api/contracts/http/form-responses';
import type { Discount } from '@event-api/contracts/http/redemption-codes';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { AppliedTaxRate } from '@event-api/contracts/http/tax-rates';
import type { SaleBlock } from '@event-api/contracts/internal/reservations';
import {
  availableSeats,
  type Seats,
  canPromote as waitlistGoesFirst,
} from '@event-api/rules/remaining-seats';

/** How many units one order may have. */
export interface OrderLimits {
  minPerOrder: number | null;
  maxPerOrder: number | null;
}

/** An add-on with its taken units. */
export interface AddonState extends OrderLimits {
  id: string;
  capacity: number | null;
  opensAt: Date | null;
  closesAt: Date | null;
  /** Units that active registrations have. */
  confirmed: number;
  /** Units of active reservations. */
  reserved: number;
}

/** Units of an add-on that an order has added to a registration. */
export interface DeliveredUnits {
  orderId: string;
  addonId: string;
  quantity: number;
}

/** A ticket type with its taken seats. */
export interface TypeState extends Seats, OrderLimits {
  id: string;
  allowWaitlist: boolean;
  requiresApproval: boolean;
  opensAt: Date | null;
  closesAt: Date | null;
  /** Missing without tax. */
  taxRate?: AppliedTaxRate | null;
  /**
   * Ids of the first waitlisted registrations without an offer, in their order; at most one batch
   * of promotions.
   */
  waitlist: string[];
  /** Whether more registrations wait behind those of `waitlist`. */
  waitlistContinues: boolean;
}

export interface RegistrationState {
  id: string;
  normalEmail: string;
  status: RegistrationStatus;
  ticketTypeId: string | null;
  redemptionCodeId: string | null;
  orderId: string | null;
  /**
   * The buyer of the order that created it, otherwise its own email. Null where only promotions
   * read it.
   */
  buyerEmail: string | null;
  /**
   * Order on the waitlist: registrations further back have higher numbers. From `firstNewOrder` on
   * it is given in the batch, and the write gives the next one.
   */
  waitlistOrder: number;
  /** The reservation that offers it a seat. */
  offerId: string | null;
  /** How many of its offers have expired. */
  offersMissed: number;
}

/** The fields that a conditional change compares, each as JSON with its keys in order. */
export type Details = Readonly<
  Record<'email' | 'name' | 'registrationTypeId' | 'responses', string>
>;

/** What a caller has read of a registration before its change. */
export type Expected = Partial<Details> & { status?: RegistrationStatus | undefined };

export interface CodeState {
  id: string;
  /** As created. */
  code: string;
  key: string;
  ticketTypeId: string;
  maxUses: number | null;
  uses: number;
  expiresAt: Date | null;
  status: 'active' | 'disabled';
  discount: Discount | null;
}

export interface ReservationState {
  id: string;
  /** `taken`: an offer whose seat an order has reserved. Only `active` reservations count seats. */
  state: 'active' | 'taken' | 'fulfilled' | 'released' | 'expired';
  expiresAt: Date | null;
  buyerEmail: string | null;
  /** All of its seats, including those that require approval. */
  seatCount: number;
  /**
   * Reserved seats by ticket type, and reserved units by add-on; types that require approval have
   * none.
   */
  seats: ReadonlyMap<string, number>;
  redemptionCodeId: string | null;
  codeUses: number;
  /** The result of its fulfilment. */
  fulfilment: Fulfilment | null;
  /** The registrations whose offers an order has taken when it reserved its seats. */
  offeredTo: readonly string[];
  /** Null for the reservation of an order. */
  offer: Offer | null;
  /** Null for all but the seat of a fulfilled order that has no attendee yet. */
  openSeat: OpenSeat | null;
}

/** A sold seat without an attendee. Its reservation also keeps the add-ons that go with it. */
export interface OpenSeat {
  orderId: string;
  ticketTypeId: string;
}

/** A seat that is reserved for a waitlisted registration until an order pays for it. */
export interface Offer {
  registrationId: string;
  /** The order that has reserved the seat. */
  takenBy: string | null;
}

export interface Fulfilment {
  /**
   * `amount` is what the order paid for the seat, `status` that of the registration at the
   * fulfilment; undefined in a fulfilment of a release that did not store it. An open seat has its
   * own id in place of a registration until it is assigned, and no status.
   */
  seats: {
    registrationId: string;
    created: boolean;
    status?: RegistrationStatus | undefined;
    amount?: number | undefined;
  }[];
  addonRegistrationId: string | null;
  /** For each add-on with named recipients: the registrations that received it, or null. */
  addonRegistrationIds?: (string | null)[][];
  /** The changes of ticket types of the order that are decided, by their ids. */
  typeChanges?: Record<string, 'changed' | 'refused'>;
}

/** A fulfilled order that lists a registration of another order. */
export interface OtherOrder {
  orderId: string;
  buyerEmail: string | null;
}

/** What one email has in the event as a buyer. */
export interface BuyerState {
  /** Active reservations. */
  holds: number;
  /**
   * Seats of active reservations and active registrations; counted only if the event limits them.
   */
  seats: number;
}

/** The limits of one email in the event as a buyer. */
export interface BuyerLimits {
  maxHolds: number;
  /** Null for no limit. */
  maxSeats: number | null;
}

/** Higher than any stored order on a waitlist. */
const firstNewOrder = 2 ** 52;

/** Gives the place behind all other registrations on the waitlists of the event. */
export function nextWaitlistOrder(state: Pick<AdmissionState, 'ordersGiven'>): number {
  state.ordersGiven += 1;
  return firstNewOrder + state.ordersGiven;
}

/** Whether the batch has given the order. */
export const isNewOrder = (waitlistOrder: number): boolean => waitlistOrder >= firstNewOrder;

/** The state that decisions of one event use. It is read under the event's lock. */
export interface AdmissionState {
  now: Date;
  eventStatus: EventStatus;
  /** Whether the event is cancelled: it is archived, and no order is fulfilled any more. */
  isCancelled: boolean;
  /** Null if the event has no end. */
  eventEndsAt: Date | null;
  limits: BuyerLimits;
  /** How long a seat is offered to a waitlisted registration. */
  offerMs: number;
  /** Whether waitlists may be promoted. They wait while the projected capacity may not exist. */
  mayPromote: boolean;
  /** How many places on waitlists the batch has given. */
  ordersGiven: number;
  types: Map<string, TypeState>;
  addons: Map<string, AddonState>;
  /** The add-ons of active registrations that may end, by registration. */
  delivered: Map<string, DeliveredUnits[]>;
  registrations: Map<string, RegistrationState>;
  /** By registration. Read for those whose change depends on them. */
  details: Map<string, Details>;
  /** The active registration of an email, by id. */
  active: Map<string, string>;
  /** By key. */
  codes: Map<string, CodeState>;
  reservations: Map<string, ReservationState>;
  /** The buyers of the reservations to decide, by email. */
  buyers: Map<string, BuyerState>;
  /**
   * The other orders that list a registration, by its id: its attendee had registered before they
   * were fulfilled. Read for the registrations of orders to revoke.
   */
  otherOrders: Map<string, OtherOrder[]>;
}

/** A person to register. The ids are created before the decision, because decisions are pure. */
export interface Person {
  registrationId: string;
  attendeeId: string;
  contactId: string;
  checkinCode: string;
  email: string;
  normalEmail: string;
  name: string | null;
  /** The responses to the form of the event; null if there are none. */
  responses: FormResponses | null;
}

/** Who holds a registration. The badge code is null for another spelling of the same email. */
export interface Holder extends Pick<Person, 'attendeeId' | 'contactId' | 'email' | 'normalEmail'> {
  checkinCode: string | null;
}

export type Change =
  | {
      kind: 'register';
      person: Person;
      status: 'pending' | 'confirmed' | 'waitlisted';
      ticketTypeId: string | null;
      redemptionCodeId: string | null;
      orderId: string | null;
      /** The open seat of the order that it is assigned to. */
      seatId?: string;
    }
  | {
      kind: 'set_status';
      id: string;
      to: RegistrationStatus;
      reason: string | null;
      /** The order that pays for an existing registration, with the redemption code of its seat. */
      order?: { id: string; redemptionCodeId: string | null };
    }
  | {
      kind: 'change_registration';
      id: string;
      /** Undefined keeps the name. */
      name: string | null | undefined;
      /** Null keeps the person. */
      holder: Holder | null;
      /** Null keeps the ticket type. */
      ticketTypeId: string | null;
      /** Null keeps the responses. */
      responses: FormResponses | null;
    }
  | { kind: 'reserve'; reservation: ReservationState }
  /** An order reserves the seat of an offer. */
  | { kind: 'take_offer'; id: string; orderId: string }
  /** The order ended without a payment: the offer reserves its seat again. */
  | { kind: 'return_offer'; id: string }
  | {
      kind: 'close_reservation';
      id: string;
      to: 'fulfilled' | 'released' | 'expired';
      fulfilment: Fulfilment | null;
    }
  | {
      kind: 'add_addons';
      registrationId: string;
      orderId: string;
      units: readonly Omit<DeliveredUnits, 'orderId'>[];
    }
  | { kind: 'remove_addons'; registrationId: string; orderId: string }
  /** The registration keeps at most this many units of add-ons of an order. */
  | {
      kind: 'limit_addons';
      registrationId: string;
      orderId: string;
      units: readonly Omit<DeliveredUnits, 'orderId'>[];
    }
  /** The registration takes the place of an open seat in the fulfilment of its order. */
  | { kind: 'assign_seat'; orderId: string; seatId: string; registrationId: string }
  /** An open seat, and what it reserves, becomes one of another ticket type. */
  | { kind: 'move_open_seat'; id: string; from: string; ticketTypeId: string }
  /** Stores the decision about a change of ticket types with what is paid for its seats, by holder. */
  | {
      kind: 'record_type_change';
      orderId: string;
      changeId: string;
      outcome: 'changed' | 'refused';
      amounts: ReadonlyMap<string, number>;
    }
  /** A fulfilled order lists the registration of another order. */
  | { kind: 'list_registration'; registrationId: string; orderId: string }
  /** The registration becomes the one of another order that lists it. */
  | { kind: 'hand_over'; registrationId: string; to: OtherOrder }
  /** A revoked order does not list these registrations of other orders any more; null means all. */
  | {
      kind: 'unlist_registrations';
      orderId: string;
      registrationIds: readonly string[] | null;
    };

/** The lifecycle of a registration: the statuses that may follow each status. */
export const registrationTransitions: Record<RegistrationStatus, readonly RegistrationStatus[]> = {
  pending: ['confirmed', 'waitlisted', 'rejected', 'cancelled'],
  waitlisted: ['confirmed', 'cancelled'],
  confirmed: ['cancelled'],
  rejected: [],
  cancelled: [],
};

/** Whether the status can still change. */
export const isActive = (status: RegistrationStatus): boolean =>
  registrationTransitions[status].length > 0;

/** Whether the waitlist of the type can be promoted now. */
export const canPromote = (state: AdmissionState, type: TypeState): boolean =>
  waitlistGoesFirst(type, {
    eventStatus: state.eventStatus,
    saleHasEnded: hasSaleEnded(type, state.now),
  });

/**
 * The seats available to new registrations: none while the waitlist can be promoted, of the type or
 * of another one whose registrations would take a seat of the same group.
 */
export const seatsForNewcomers = (state: AdmissionState, type: TypeState): number =>
  canPromote(state, type) || waitsForGroup(state, type) ? 0 : availableSeats(type);

const waitsForGroup = (state: AdmissionState, { id, group }: TypeState): boolean =>
  !!group &&
  [...state.types.values()].some(
    (other) =>
      other.id !== id &&
      other.group?.id === group.id &&
      canPromote(state, other) &&
      availableSeats(other) > 0,
  );

/** The seats of a type for a registration that gives up its seat of the type `from`. */
export function seatsForMove(
  state: AdmissionState,
  from: TypeState | undefined,
  target: TypeState,
): number {
  const { group } = target;
  if (!group || from?.group?.id !== group.id) return seatsForNewcomers(state, target);
  return seatsForNewcomers(state, { ...target, group: { ...group, taken: group.taken - 1 } });
}

/** Why a ticket type is not on sale, in any order. */
export type TypeSaleBlock = Exclude<SaleBlock, 'requires_approval'>;

/** Why the sale of an add-on is not on at `now`, or null when it is. Its status is judged elsewhere. */
export function windowBlock(
  { opensAt, closesAt }: Pick<AddonState, 'opensAt' | 'closesAt'>,
  now: Date,
): 'not_open_yet' | 'sale_ended' | null {
  if (opensAt && now < opensAt) return 'not_open_yet';
  return hasSaleEnded({ closesAt }, now) ? 'sale_ended' : null;
}

/** Why a ticket type is not on sale at `now`, or null when it is. */
export function saleBlock(
  { status, ...window }: Pick<TypeState, 'status' | 'opensAt' | 'closesAt'>,
  now: Date,
): TypeSaleBlock | null {
  return status === 'open' ? windowBlock(window, now) : status;
}

export const hasSaleEnded = ({ closesAt }: Pick<TypeState, 'closesAt'>, now: Date): boolean =>
  closesAt !== null && closesAt <= now;

type CodeLimits = Pick<CodeState, 'status' | 'expiresAt' | 'maxUses' | 'uses'>;

/** Whether a code can be used `uses` more times. */
export const isUsable = <Code extends CodeLimits>(
  code: Code | undefined,
  now: Date,
  uses: number,
): code is Code =>
  code !== undefined &&
  code.status === 'active' &&
  (!code.expiresAt || now < code.expiresAt) &&
  uses <= usesLeftOf(code);

/** How often a code can still be used; infinitely often without a limit. */
export const usesLeftOf = ({ maxUses, uses }: Pick<CodeState, 'maxUses' | 'uses'>): number =>
  maxUses === null ? Number.POSITIVE_INFINITY : maxUses - uses;

export const isExpired = (reservation: ReservationState, now: Date): boolean =>
  reservation.expiresAt !== null && reservation.expiresAt <= now;
