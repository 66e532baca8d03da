import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { ClaimLink } from './claim-link.entity.ts';

const columns = columnsOf(ClaimLink, 'c', { omit: ['tokenHash'] });

/** A claim link without its token. */
export type ClaimLinkRow = RowOf<typeof columns>;

const revokeFormer = statement(
  'claim_link_revoke_former',
  `update commerce.claim_link set revoked_at = clock_timestamp()
   where business_unit_id = $1 and order_id = $2 and seat_id is not distinct from $3 and id <> $4 and revoked_at is null`,
);

// A retry of a request that has ended in between has the same id, and a token of its own.
const insert = statement<ClaimLinkRow>(
  'claim_link_insert',
  `insert into commerce.claim_link as c (id, business_unit_id, event_id, order_id, seat_id, token_hash, created_at)
   values ($1, $2, $3, $4, $5, $6, clock_timestamp())
   on conflict (id) do update set token_hash = excluded.token_hash
   returning ${columns.sql}`,
);

/**
 * Stores a link instead of the former one of the same seat, or order. Requires the lock of the
 * order.
 */
export async function replaceClaimLink(
  tx: Tx,
  order: EventScope & { id: string },
  { id, seatId, tokenHash }: { id: string; seatId: string | null; tokenHash: string },
): Promise<ClaimLinkRow> {
  const { businessUnitId, eventId } = order;
  await tx.query(revokeFormer, [businessUnitId, order.id, seatId, id]);
  const [row] = await tx.query(insert, [id, businessUnitId, eventId, order.id, seatId, tokenHash]);
  if (!row) throw new Error('claim link not stored');
  return row;
}

const revoke = statement<ClaimLinkRow>(
  'claim_link_revoke',
  `update commerce.claim_link c set revoked_at = coalesce(c.revoked_at, clock_timestamp())
   where c.business_unit_id = $1 and c.order_id = $2 and c.id = $3 returning ${columns.sql}`,
);

/** Revokes a link of an order, and returns it; null if the order has no such link. */
export async function revokeClaimLink(
  tx: Tx,
  { businessUnitId, id: orderId }: { businessUnitId: string; id: string },
  linkId: string,
): Promise<ClaimLinkRow | null> {
  const [row] = await tx.query(revoke, [businessUnitId, orderId, linkId]);
  return row ?? null;
}

const usableByToken = statement<ClaimLinkRow>(
  'claim_link_by_token',
  `select ${columns.sql} from commerce.claim_link c where c.token_hash = $1 and c.revoked_at is null`,
);

/** Returns the link of a token; null for a token that is unknown or revoked. */
export async function findUsableLink(db: Db, tokenHash: string): Promise<ClaimLinkRow | null> {
  const [row] = await db.query(usableByToken, [tokenHash]);
  return row ?? null;
}
