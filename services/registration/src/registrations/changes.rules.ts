import type { FormResponses } from '@event-api/contracts/http/form-responses';
import { leastCharged } from '@event-api/rules/tax';
import {
  type AdmissionState,
  type Change,
  type Expected,
  type Holder,
  isActive,
  type RegistrationState,
  seatsForMove,
  type TypeState,
} from '../seats/seats.rules.ts';
import { changedField } from './expected.rules.ts';
import { admitApplication } from './registrations.rules.ts';

export interface ChangeRequest {
  registrationId: string;
  /** Undefined keeps the name. */
  name: string | null | undefined;
  /** The person of another email, with a new badge code. Null keeps the email. */
  holder: (Holder & { checkinCode: string }) | null;
  /** Null keeps the ticket type. */
  ticketTypeId: string | null;
  /** Null keeps the responses. */
  responses: FormResponses | null;
  /** What the caller has read before. Null for an unconditional change. */
  expected: Expected | null;
}

export type ChangeDecision =
  | { outcome: 'changed'; changes: Change[] }
  | { outcome: 'unknown' }
  | { outcome: 'type_unknown' }
  | { outcome: 'event_archived' }
  | { outcome: 'closed' }
  | { outcome: 'changed_meanwhile'; field: keyof Expected }
  | { outcome: 'offer_taken' }
  | { outcome: 'attendee_registered' }
  | { outcome: 'type_archived' }
  | { outcome: 'price_higher' }
  | { outcome: 'sold_out' };

/**
 * Decides a change of name, email, ticket type and responses, all or nothing. The other type costs
 * no more than what was paid for the registration. A confirmed registration takes a seat of the
 * other type; a waitlisted one joins its waitlist, where the same batch promotes it if a seat is
 * available, and gives up an offer of its former type. An application is admitted to a type without
 * approval. Any other status stays, because the change counts as the approval.
 */
export function decideChange(state: AdmissionState, request: ChangeRequest): ChangeDecision {
  const { registrationId: id, name, holder, responses } = request;
  const registration = state.registrations.get(id);
  if (!registration) return { outcome: 'unknown' };
  const type = request.ticketTypeId === null ? null : state.types.get(request.ticketTypeId);
  if (type === undefined) return { outcome: 'type_unknown' };
  if (state.eventStatus === 'archived') return { outcome: 'event_archived' };
  if (!isActive(registration.status)) return { outcome: 'closed' };
  const field = changedField(state, id, request.expected);
  if (field) return { outcome: 'changed_meanwhile', field };
  const target = type?.id === registration.ticketTypeId ? null : type;
  const isTransfer = holder !== null && holder.normalEmail !== registration.normalEmail;
  if ((target || isTransfer) && isOfferTaken(state, registration)) {
    return { outcome: 'offer_taken' };
  }
  if (isTransfer && state.active.has(holder.normalEmail)) {
    return { outcome: 'attendee_registered' };
  }
  const block = target && findBlock(state, registration, target);
  if (block) return { outcome: block };
  const admitted = target && admittedStatus(state, registration, target);
  if (admitted === 'sold_out') return { outcome: 'sold_out' };
  // Before the change of the type, which puts a waitlisted registration behind the others.
  const admission: Change[] = admitted
    ? [{ kind: 'set_status', id, to: admitted, reason: null }]
    : [];
  const ended: Change[] =
    target && registration.offerId !== null
      ? [{ kind: 'close_reservation', id: registration.offerId, to: 'expired', fulfilment: null }]
      : [];
  const change: Change = {
    kind: 'change_registration',
    id,
    name,
    holder: holder && { ...holder, checkinCode: isTransfer ? holder.checkinCode : null },
    ticketTypeId: target?.id ?? null,
    responses,
  };
  return { outcome: 'changed', changes: [...ended, ...admission, change] };
}

/** The new status of an application that moves to a type without approval, or null. */
const admittedStatus = (
  state: AdmissionState,
  registration: RegistrationState,
  target: TypeState,
): ReturnType<typeof admitApplication> | null =>
  registration.status === 'pending' && !target.requiresApproval
    ? admitApplication(state, registration, target)
    : null;

const isOfferTaken = (state: AdmissionState, { offerId }: RegistrationState): boolean =>
  offerId !== null && state.reservations.get(offerId)?.state === 'taken';

/** Why a registration cannot move to another ticket type, or null. */
function findBlock(
  state: AdmissionState,
  registration: RegistrationState,
  target: TypeState,
): 'type_archived' | 'price_higher' | 'sold_out' | null {
  const { status } = registration;
  if (target.status === 'archived') return 'type_archived';
  if (chargedFor(target) > paidAmountOf(state, registration)) return 'price_higher';
  // An application takes a seat when it is approved.
  const from =
    status === 'confirmed' ? state.types.get(registration.ticketTypeId ?? '') : undefined;
  if (status === 'pending' || seatsForMove(state, from, target) > 0) return null;
  return status === 'waitlisted' && target.allowWaitlist ? null : 'sold_out';
}

/**
 * What a registration is worth: what its order paid for it, with all discounts. The price of a type
 * may change later, so it counts only for a registration without an order.
 */
function paidAmountOf(state: AdmissionState, registration: RegistrationState): number {
  const { id, orderId, ticketTypeId } = registration;
  const fulfilment = orderId === null ? null : state.reservations.get(orderId)?.fulfilment;
  const paid = fulfilment?.seats.find(({ registrationId }) => registrationId === id)?.amount;
  const present = ticketTypeId === null ? null : state.types.get(ticketTypeId);
  return paid ?? (present ? chargedFor(present) : 0);
}

/** The least that an order pays for a seat of a ticket type without a code, with tax. */
const chargedFor = ({ priceAmount, taxRate = null }: TypeState): number =>
  leastCharged(priceAmount, taxRate);
