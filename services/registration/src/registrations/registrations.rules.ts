import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { availableSeats } from '@event-api/rules/remaining-seats';
import {
  closeOffer,
  mustBePaid,
  openOffer,
  withdrawOffer,
} from '../seats/promotion/promotion.rules.ts';
import {
  type AdmissionState,
  type Change,
  type Expected,
  isUsable,
  type Person,
  type RegistrationState,
  registrationTransitions,
  saleBlock,
  seatsForNewcomers,
  type TypeSaleBlock,
  type TypeState,
} from '../seats/seats.rules.ts';
import { changedField } from './expected.rules.ts';

export interface RegisterRequest {
  person: Person;
  ticketTypeId: string | null;
  /** The key of a redemption code. */
  codeKey: string | null;
}

export type RegisterDecision =
  | { outcome: 'registered'; registrationId: string; changes: Change[] }
  | { outcome: 'already_registered'; registrationId: string }
  | { outcome: 'type_required' }
  | { outcome: 'type_unknown' }
  | { outcome: 'event_archived' }
  | { outcome: 'not_on_sale'; block: TypeSaleBlock }
  | { outcome: 'code_invalid' }
  | { outcome: 'code_not_applicable' }
  | { outcome: 'sold_out' };

/**
 * Decides whether a person is registered, and with which status. Checks in this order: the request,
 * the ticket type, an existing registration, the event, the sale, the code, the seats.
 */
export function decideRegistration(
  state: AdmissionState,
  { person, ticketTypeId, codeKey }: RegisterRequest,
): RegisterDecision {
  const type = ticketTypeId === null ? null : state.types.get(ticketTypeId);
  if (ticketTypeId === null && usesTicketTypes(state)) return { outcome: 'type_required' };
  if (type === undefined) return { outcome: 'type_unknown' };
  const existing = state.active.get(person.normalEmail);
  if (existing) return { outcome: 'already_registered', registrationId: existing };
  if (state.eventStatus === 'archived') return { outcome: 'event_archived' };
  const block = type && saleBlock(type, state.now);
  if (block) return { outcome: 'not_on_sale', block };
  const code = codeKey === null ? null : state.codes.get(codeKey);
  if (code !== null) {
    if (!isUsable(code, state.now, 1)) return { outcome: 'code_invalid' };
    if (code.ticketTypeId !== ticketTypeId) return { outcome: 'code_not_applicable' };
  }
  const status = admit(state, type);
  if (status === 'sold_out') return { outcome: 'sold_out' };
  return {
    outcome: 'registered',
    registrationId: person.registrationId,
    changes: [
      {
        kind: 'register',
        person,
        status,
        ticketTypeId,
        redemptionCodeId: code?.id ?? null,
        orderId: null,
      },
    ],
  };
}

const usesTicketTypes = (state: AdmissionState): boolean =>
  [...state.types.values()].some(({ status }) => status !== 'archived');

function admit(
  state: AdmissionState,
  type: TypeState | null,
): 'pending' | 'confirmed' | 'waitlisted' | 'sold_out' {
  if (!type) return 'confirmed';
  if (type.requiresApproval) return 'pending';
  if (seatsForNewcomers(state, type) > 0) return 'confirmed';
  return type.allowWaitlist ? 'waitlisted' : 'sold_out';
}

/** A change of the status, on what its caller has read before. */
export interface StatusRequest {
  registrationId: string;
  /** Null or undefined for an unconditional change. */
  expected?: Expected | null | undefined;
}

export type StatusDecision =
  | { outcome: 'changed'; changes: Change[] }
  | { outcome: 'unchanged' }
  | { outcome: 'unknown' }
  | { outcome: 'event_archived' }
  | { outcome: 'changed_meanwhile'; field: keyof Expected }
  | { outcome: 'not_pending' }
  | { outcome: 'closed' }
  | { outcome: 'sold_out' };

/** Admits a pending registration: see `admitApplication`. */
export function decideApproval(state: AdmissionState, request: StatusRequest): StatusDecision {
  const { registrationId } = request;
  const registration = state.registrations.get(registrationId);
  if (!registration) return { outcome: 'unknown' };
  if (state.eventStatus === 'archived') return { outcome: 'event_archived' };
  const field = changedField(state, registrationId, request.expected);
  if (field) return { outcome: 'changed_meanwhile', field };
  if (registration.status !== 'pending') return { outcome: 'not_pending' };
  const type = registration.ticketTypeId ? state.types.get(registration.ticketTypeId) : null;
  const status = type ? admitApplication(state, registration, type) : 'confirmed';
  return status === 'sold_out' ? { outcome: 'sold_out' } : changeTo(registrationId, status, null);
}

/**
 * The status of an application that is admitted to a type. One that has to be paid for joins the
 * waitlist, where the next available seat is offered to it.
 */
export function admitApplication(
  state: AdmissionState,
  registration: Pick<RegistrationState, 'orderId'>,
  type: TypeState,
): 'confirmed' | 'waitlisted' | 'sold_out' {
  const hasSeat = seatsForNewcomers(state, type) > 0;
  if (!hasSeat && !type.allowWaitlist) return 'sold_out';
  return hasSeat && !mustBePaid(type, registration) ? 'confirmed' : 'waitlisted';
}

/**
 * Confirms a pending or waitlisted registration without a payment, ahead of the waitlist, if it has
 * an offer or a seat is available. A confirmed one stays unchanged.
 */
export function decideConfirmation(state: AdmissionState, request: StatusRequest): StatusDecision {
  const { registrationId } = request;
  const registration = state.registrations.get(registrationId);
  if (!registration) return { outcome: 'unknown' };
  if (state.eventStatus === 'archived') return { outcome: 'event_archived' };
  const field = changedField(state, registrationId, request.expected);
  if (field) return { outcome: 'changed_meanwhile', field };
  if (registration.status === 'confirmed') return { outcome: 'unchanged' };
  if (!mayBecome(registration.status, 'confirmed')) return { outcome: 'closed' };
  const type = registration.ticketTypeId ? state.types.get(registration.ticketTypeId) : null;
  const offer = openOffer(state, registration);
  if (type && !offer && availableSeats(type) === 0) return { outcome: 'sold_out' };
  return changeTo(registrationId, 'confirmed', null, [
    ...closeOffer(registration, offer ? 'fulfilled' : 'released'),
  ]);
}

export function decideRejection(
  state: AdmissionState,
  request: StatusRequest & { reason: string | null },
): StatusDecision {
  const { registrationId, reason } = request;
  const registration = state.registrations.get(registrationId);
  if (!registration) return { outcome: 'unknown' };
  const field = changedField(state, registrationId, request.expected);
  if (field) return { outcome: 'changed_meanwhile', field };
  if (!mayBecome(registration.status, 'rejected')) return { outcome: 'not_pending' };
  return changeTo(registrationId, 'rejected', reason);
}

/**
 * Cancels any active registration. An inactive one stays unchanged. An order that has taken the
 * offer of the registration loses its seats: its payment would register the person again.
 */
export function decideCancellation(state: AdmissionState, request: StatusRequest): StatusDecision {
  const { registrationId } = request;
  const registration = state.registrations.get(registrationId);
  if (!registration) return { outcome: 'unknown' };
  const field = changedField(state, registrationId, request.expected);
  if (field) return { outcome: 'changed_meanwhile', field };
  if (!mayBecome(registration.status, 'cancelled')) return { outcome: 'unchanged' };
  return changeTo(registrationId, 'cancelled', null, withdrawOffer(state, registration));
}

const mayBecome = (from: RegistrationStatus, to: RegistrationStatus): boolean =>
  registrationTransitions[from].includes(to);

const changeTo = (
  id: string,
  to: 'confirmed' | 'waitlisted' | 'rejected' | 'cancelled',
  reason: string | null,
  first: Change[] = [],
): StatusDecision => ({
  outcome: 'changed',
  changes: [...first, { kind: 'set_status', id, to, reason }],
});
