import type { AdmissionState } from '../seats/seats.rules.ts';
import type { AssignedSeat } from './seat-sources.rules.ts';

/** A reservation that exceeds a limit of its buyer. */
export type LimitRefusal = { outcome: 'refused' } & (
  | { reason: 'TOO_MANY_HOLDS'; limit: number }
  | { reason: 'TOO_MANY_SEATS'; limit: number; seatsLeft: number }
);

/**
 * The limit that a reservation would exceed. All seats count for the buyer, not for their
 * attendees.
 */
export function findExceededLimit(
  { buyers, limits }: AdmissionState,
  buyerEmail: string,
  seatCount: number,
): LimitRefusal | undefined {
  const buyer = buyers.get(buyerEmail);
  if (!buyer) throw new Error('the reservations of the buyer were not read');
  const { maxHolds, maxSeats } = limits;
  if (buyer.holds >= maxHolds) {
    return { outcome: 'refused', reason: 'TOO_MANY_HOLDS', limit: maxHolds };
  }
  if (maxSeats === null) return undefined;
  const seatsLeft = Math.max(0, maxSeats - buyer.seats);
  if (seatCount <= seatsLeft) return undefined;
  return { outcome: 'refused', reason: 'TOO_MANY_SEATS', limit: maxSeats, seatsLeft };
}

/**
 * The seats of an order that its buyer does not have yet: a waitlisted registration counts already.
 */
export const countLimitedSeats = (buyerEmail: string, assigned: readonly AssignedSeat[]): number =>
  assigned.filter((seat) => seat.source !== 'offer' || seat.registration.buyerEmail !== buyerEmail)
    .length;
