import type { AdmissionState } from '../../seats/rules.ts';
import type { ReserveDecision, ReserveRefusal, ReserveRequest } from '../rules.ts';

/**
 * The limit that a reservation would exceed. All seats count for the buyer, not for their
 * attendees.
 * Source: docs/rules.md, "Claims".
 */
export function findExceededLimit(
  { buyers, limits }: AdmissionState,
  { buyerEmail, seats }: Pick<ReserveRequest, 'buyerEmail' | 'seats'>,
): ReserveRefusal | undefined {
  const buyer = buyers.get(buyerEmail);
  if (!buyer) throw new Error('the reservations of the buyer were not read');
  const { maxHolds, maxSeats } = limits;
  if (buyer.holds >= maxHolds) {
    return { outcome: 'refused', reason: 'TOO_MANY_HOLDS', limit: maxHolds };
  }
  if (maxSeats === null) return undefined;
  const seatsLeft = Math.max(0, maxSeats - buyer.seats);
  if (seats.length <= seatsLeft) return undefined;
  return { outcome: 'refused', reason: 'TOO_MANY_SEATS', limit: maxSeats, seatsLeft };
}

/** The limit that a reservation exceeded, or null. */
export function exceededLimit(decision: ReserveDecision): 'holds' | 'seats' | null {
  if (decision.outcome !== 'refused') return null;
  if (decision.reason === 'TOO_MANY_HOLDS') return 'holds';
  return decision.reason === 'TOO_MANY_SEATS' ? 'seats' : null;
}
