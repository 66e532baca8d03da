import type { assignClaimedSeat, Claim, ClaimLink } from '@event-api/contracts/http/claims';
import { unavailable } from '@event-api/platform/core/errors';
import type { z } from 'zod';
import type { OrderSeat } from '../orders/order-seats.rules.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import type { ClaimLinkRow } from './claim-links.queries.ts';
import { closedReasonOf } from './claim-links.rules.ts';
import type { Offer } from './offer.queries.ts';

/** The response body of a claim link, which never has its token. */
export const claimLinkView = (link: ClaimLinkRow): z.input<typeof ClaimLink> => ({
  id: link.id,
  orderId: link.orderId,
  seatId: link.seatId,
  createdAt: link.createdAt.toISOString(),
  revokedAt: link.revokedAt?.toISOString() ?? null,
});

/** What anybody with the token sees: nothing of the buyer, and of a seat that is not open its status. */
export const claimView = (
  seats: readonly OrderSeat[],
  { name, form, ticketTypeNames, ...event }: Offer,
): z.input<typeof Claim> => ({
  eventName: name,
  closedReason: closedReasonOf(event),
  seats: seats.map(({ id, status, ticketTypeId }) => ({
    id,
    status,
    ticketTypeName: status === 'open' ? (ticketTypeNames[ticketTypeId] ?? null) : null,
  })),
  questions: (form ?? []).map((question) => ({ ...question, options: question.options ?? null })),
});

/** A seat that was just assigned. Errors: 503 if its order does not show its registration yet. */
export function claimedSeatView(
  { registrationStatuses }: OrderRow,
  seats: readonly OrderSeat[],
  seatId: string,
): z.input<(typeof assignClaimedSeat.schema.response)[200]> {
  const seat = seats.find(({ id }) => id === seatId);
  const registrationStatus = registrationStatuses[seat?.registrationId ?? ''];
  if (!seat?.registrationId || !registrationStatus) {
    throw unavailable(new Error('the order does not show the assigned seat yet'));
  }
  const { status, registrationId } = seat;
  return { seatId, status, registrationId, registrationStatus };
}
