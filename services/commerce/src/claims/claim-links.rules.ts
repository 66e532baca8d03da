import type { ClaimClosedReason } from '@event-api/contracts/http/claims';
import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { SeatStatus } from '@event-api/contracts/http/orders';
import { attendeeEmailOf } from '../orders/lines.rules.ts';
import type { OrderSeat } from '../orders/order-seats.rules.ts';
import { findUrlProblem, storedUrl } from '../payments/return-urls.rules.ts';

export type ClaimLinkDecision =
  | { outcome: 'created' }
  | { outcome: 'seat_unknown' }
  /** The seat that the link is for. */
  | { outcome: 'seat_not_open'; status: SeatStatus }
  | { outcome: 'no_seat_open' };

/**
 * Decides whether a link for a seat, or with null for the whole order, has anything to assign. The
 * seats of an order that is not paid are open already: a shop can send the link with its thanks.
 */
export function decideClaimLink(
  seats: readonly Pick<OrderSeat, 'id' | 'status'>[],
  seatId: string | null,
): ClaimLinkDecision {
  if (seatId === null) {
    const isOpen = seats.some(({ status }) => status === 'open');
    return { outcome: isOpen ? 'created' : 'no_seat_open' };
  }
  const seat = seats.find(({ id }) => id === seatId);
  if (!seat) return { outcome: 'seat_unknown' };
  const { status } = seat;
  return status === 'open' ? { outcome: 'created' } : { outcome: 'seat_not_open', status };
}

/**
 * The seats that a link covers: its own, or all that were sold without an attendee. `sold` are the
 * seats of the order as they were sold, in the same order.
 */
export const coveredSeats = (
  seats: readonly OrderSeat[],
  sold: readonly { email: string }[],
  linkedSeatId: string | null,
): OrderSeat[] =>
  seats.filter(({ id }, n) => {
    const wasOpen = sold[n] !== undefined && attendeeEmailOf(sold[n]) === null;
    return wasOpen && (linkedSeatId === null || linkedSeatId === id);
  });

/** Why the open seats of an event cannot be assigned any more; null if they can. */
export function closedReasonOf({
  status,
  endsAt,
  cancelledAt,
  now,
}: {
  status: string;
  endsAt: Date | null;
  cancelledAt: Date | null;
  now: Date;
}): ClaimClosedReason | null {
  // A cancelled event is archived, too.
  if (cancelledAt !== null) return 'EVENT_CANCELLED';
  if (status === 'archived') return 'EVENT_ARCHIVED';
  return endsAt !== null && endsAt <= now ? 'EVENT_ENDED' : null;
}

export type PageUrlDecision =
  | { outcome: 'valid'; url: string }
  | { outcome: 'invalid'; issue: FieldIssue };

/**
 * Decides about the page of a link, as about the URLs that a payment page links back to. The token
 * becomes the fragment, which browsers send to no server.
 */
export function decidePageUrl(pageUrl: string, order: { orderNumber: string }): PageUrlDecision {
  const field = 'pageUrl';
  const problem = findUrlProblem(pageUrl, order);
  if (problem) return { outcome: 'invalid', issue: { field, ...problem } };
  if (!pageUrl.includes('#')) return { outcome: 'valid', url: storedUrl(pageUrl, order) };
  const issue = 'must not have a fragment, which the token becomes';
  return { outcome: 'invalid', issue: { field, issue, code: 'invalid_format' } };
}
