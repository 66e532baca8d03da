import type { Cell } from '@event-api/contracts/cells';
import { claimTokenPrefix, type createClaimLink } from '@event-api/contracts/http/claims';
import { recordAudit } from '@event-api/platform/audit/write';
import { generateCredential, hashSecret } from '@event-api/platform/core/credentials';
import { referenceNotFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import type { z } from 'zod';
import { malformed, noSeatOpen, seatNotOpen } from '../errors.ts';
import { currentSeatsOf } from '../orders/order-seats.rules.ts';
import { lockOrder, type OrderRow } from '../orders/orders.queries.ts';
import { type ClaimLinkRow, replaceClaimLink } from './claim-links.queries.ts';
import { decideClaimLink, decidePageUrl } from './claim-links.rules.ts';

/**
 * Creates a link for an open seat of an order, or for all of them, and revokes the former one.
 * Returns the token, which is stored nowhere.
 *
 * Errors: 400 for `pageUrl`; 404 for the seat; 412 `SEAT_NOT_OPEN`. Locks: the order.
 */
export async function createLink(
  { db, cell }: { db: Database; cell: Cell },
  { id: orderId, orderNumber }: OrderRow,
  { seatId: linkedSeatId, pageUrl }: z.output<typeof createClaimLink.schema.body>,
): Promise<{ link: ClaimLinkRow; token: string; url: string | null }> {
  const page = pageUrl === undefined ? null : decidePageUrl(pageUrl, { orderNumber });
  if (page?.outcome === 'invalid') throw malformed([page.issue]);
  const seatId = linkedSeatId ?? null;
  const id = newId('clm');
  const token = generateCredential(claimTokenPrefix, cell);
  const link = await db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const decision = decideClaimLink(currentSeatsOf(order), seatId);
    if (decision.outcome === 'seat_unknown') throw referenceNotFound('seatId', 'order');
    if (decision.outcome === 'seat_not_open') throw seatNotOpen(decision.status);
    if (decision.outcome === 'no_seat_open') throw noSeatOpen();
    recordAudit(tx, { records: [orderId, id] });
    return replaceClaimLink(tx, order, { id, seatId, tokenHash: hashSecret(token) });
  });
  return { link, token, url: page && `${page.url}#${token}` };
}
