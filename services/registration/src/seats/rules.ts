import type { EventStatus } from '@event-api/contracts/http/events';
import type { FormResponses } from '@event-api/contracts/http/form-responses';
import type { Discount } from '@event-api/contracts/http/redemption-codes';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import type { SaleBlock } from '@event-api/contracts/internal/reservations';

/** A ticket type with its taken seats. */
export interface TypeState {
  id: string;
  status: SaleStatus;
  capacity: number | null;
  allowWaitlist: boolean;
  requiresApproval: boolean;
  opensAt: Date | null;
  closesAt: Date | null;
  confirmed: number;
  waitlisted: number;
  reserved: number;
  /** Ids of the oldest waitlisted registrations, oldest first; at most one batch of promotions. */
  waitlist: string[];
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
  /** Order on the waitlist: later registrations have higher numbers. */
  insertionOrder: number;
}

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
  state: 'active' | 'fulfilled' | 'released' | 'expired';
  expiresAt: Date | null;
  buyerEmail: string | null;
  /** All of its seats, including those that require approval. */
  seatCount: number;
  /** Reserved seats by ticket type; types that require approval have none. */
  seats: ReadonlyMap<string, number>;
  redemptionCodeId: string | null;
  codeUses: number;
  /** The result of its fulfilment. */
  fulfilment: Fulfilment | null;
}

export interface Fulfilment {
  seats: { registrationId: string; created: boolean }[];
  addonRegistrationId: string | null;
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

/** The state that decisions of one event use. It is read under the event's lock. */
export interface AdmissionState {
  now: Date;
  eventStatus: EventStatus;
  limits: BuyerLimits;
  types: Map<string, TypeState>;
  registrations: Map<string, RegistrationState>;
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
  /** The responses to the form of the event; null if there are none, and for seats of orders. */
  responses: FormResponses | null;
}

export type Change =
  | {
      kind: 'register';
      person: Person;
      status: 'pending' | 'confirmed' | 'waitlisted';
      ticketTypeId: string | null;
      redemptionCodeId: string | null;
      orderId: string | null;
    }
  | { kind: 'set_status'; id: string; to: RegistrationStatus; reason: string | null }
  | { kind: 'reserve'; reservation: ReservationState }
  | {
      kind: 'close_reservation';
      id: string;
      to: 'fulfilled' | 'released' | 'expired';
      fulfilment: Fulfilment | null;
    }
  | { kind: 'add_addons'; registrationId: string; orderId: string; addonIds: readonly string[] }
  | { kind: 'remove_addons'; registrationId: string; orderId: string }
  /** A fulfilled order lists the registration of another order. */
  | { kind: 'list_registration'; registrationId: string; orderId: string }
  /** The registration becomes the one of another order that lists it. */
  | { kind: 'hand_over'; registrationId: string; to: OtherOrder }
  /** A revoked order lists no registration of another order any more. */
  | { kind: 'unlist_registrations'; orderId: string };

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

/** Seats that are not taken; unlimited types have infinitely many. */
export const availableSeats = ({
  capacity,
  confirmed,
  reserved,
}: Pick<TypeState, 'capacity' | 'confirmed' | 'reserved'>): number =>
  capacity === null ? Number.POSITIVE_INFINITY : Math.max(0, capacity - confirmed - reserved);

/** Whether waitlisted registrations of the type may still be promoted. */
export const canPromote = (state: AdmissionState, type: TypeState): boolean =>
  type.waitlisted > 0 && type.status !== 'archived' && state.eventStatus !== 'archived';

/** The seats available to new registrations: none while the waitlist can be promoted. */
export const seatsForNewcomers = (state: AdmissionState, type: TypeState): number =>
  canPromote(state, type) ? 0 : availableSeats(type);

/** Why a ticket type is not on sale, in any order. */
export type TypeSaleBlock = Exclude<SaleBlock, 'requires_approval'>;

/** Why a ticket type is not on sale at `now`, or null when it is. */
export function saleBlock(
  { status, opensAt, closesAt }: Pick<TypeState, 'status' | 'opensAt' | 'closesAt'>,
  now: Date,
): TypeSaleBlock | null {
  if (status !== 'open') return status;
  if (opensAt && now < opensAt) return 'not_open_yet';
  return closesAt && closesAt <= now ? 'sale_ended' : null;
}

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

const maxPromotions = 256;

/**
 * Promotes the oldest waitlisted registrations to the available seats, at most 256 of each type.
 */
export function decidePromotions(state: AdmissionState): Change[] {
  const changes: Change[] = [];
  for (const type of state.types.values()) {
    if (!canPromote(state, type)) continue;
    const seats = Math.min(availableSeats(type), maxPromotions);
    for (const id of type.waitlist.slice(0, seats)) {
      changes.push({ kind: 'set_status', id, to: 'confirmed', reason: null });
    }
  }
  return changes;
}

/** Whether more registrations can be promoted after the last promotions. */
export const canPromoteMore = (state: AdmissionState): boolean =>
  [...state.types.values()].some((type) => canPromote(state, type) && availableSeats(type) > 0);

/** Expires the reservations whose time has ended, which releases their seats. */
export function decideExpiries(state: AdmissionState): Change[] {
  return [...state.reservations.values()]
    .filter((reservation) => reservation.state === 'active' && isExpired(reservation, state.now))
    .map(({ id }) => ({ kind: 'close_reservation', id, to: 'expired', fulfilment: null }));
}

export const isExpired = (reservation: ReservationState, now: Date): boolean =>
  reservation.expiresAt !== null && reservation.expiresAt <= now;
