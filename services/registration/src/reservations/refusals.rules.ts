import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { SaleBlock } from '@event-api/contracts/internal/reservations';
import {
  type AdmissionState,
  hasSaleEnded,
  saleBlock,
  type TypeState,
} from '../seats/seats.rules.ts';
import { type AssignedSeat, activeRegistration, type RequestedSeat } from './seat-sources.rules.ts';

/**
 * The buyer or another attendee has an active registration. `seat` is the index of the first one.
 */
export type RegisteredRefusal =
  | {
      outcome: 'already_registered';
      registrationId: string;
      registrationStatus: RegistrationStatus;
      /** The order that has taken the offer of the registration. */
      openOrderId: string | null;
    }
  | { outcome: 'attendee_registered'; seat: number };

/** A rule of the sale rejects the order. */
export type SaleRefusal = { outcome: 'refused' } & (
  | { reason: 'NOT_ON_SALE'; seat: number; block: SaleBlock }
  | { reason: 'NOT_REGISTERED'; addon?: number; attendee?: number }
);

interface OrderedSeats {
  seats: readonly RequestedSeat[];
  buyerEmail: string;
  acceptsApproval: boolean;
}

/** Reports the buyer's own active registration before that of another attendee. */
export function findRegistered(
  state: AdmissionState,
  { seats, buyerEmail }: OrderedSeats,
  assigned: readonly AssignedSeat[],
): RegisteredRefusal | null {
  const own = activeRegistration(state, buyerEmail);
  const isRegistered = assigned.map(({ source }) => source === 'registered');
  const ownSeat = seats.findIndex(({ person }) => person?.normalEmail === buyerEmail);
  if (own && isRegistered[ownSeat]) {
    const { id: registrationId, status: registrationStatus } = own;
    const openOrderId = state.reservations.get(own.offerId ?? '')?.offer?.takenBy ?? null;
    return { outcome: 'already_registered', registrationId, registrationStatus, openOrderId };
  }
  const other = isRegistered.indexOf(true);
  return other >= 0 ? { outcome: 'attendee_registered', seat: other } : null;
}

/** A type that requires approval is sold only in free orders, and to approved registrations. */
export function findBlocked(
  state: AdmissionState,
  { seats, acceptsApproval }: OrderedSeats,
  assigned: readonly AssignedSeat[],
): SaleRefusal | undefined {
  for (const [seat, { ticketTypeId }] of seats.entries()) {
    const type = state.types.get(ticketTypeId);
    if (!type) continue;
    const isOffered = assigned[seat]?.source === 'offer';
    const needsApproval = type.requiresApproval && !acceptsApproval && !isOffered;
    const ofSale = isOffered ? offerBlock(type, state.now) : saleBlock(type, state.now);
    const block = ofSale ?? (needsApproval ? 'requires_approval' : null);
    if (block) return { outcome: 'refused', reason: 'NOT_ON_SALE', seat, block };
  }
}

/** An offered seat is on sale for its registration even while the type is not open. */
function offerBlock(type: TypeState, now: Date): 'archived' | 'sale_ended' | null {
  if (type.status === 'archived') return 'archived';
  return hasSaleEnded(type, now) ? 'sale_ended' : null;
}
