import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { ReportedDispute } from '../payments/providers/provider.ts';
import { Dispute } from './dispute.entity.ts';

const columns = columnsOf(Dispute, 'd', {
  only: ['status', 'amount', 'currency', 'reason', 'respondBy', 'reportedAt'],
});

export type DisputeRow = RowOf<typeof columns>;

/** The settlement of a payment that an order has received, with the order. */
export interface DisputedPayment {
  settlementId: string;
  orderId: string;
  businessUnitId: string;
  eventId: string;
}

/**
 * Whether an open dispute has taken money of this settlement, as a condition. It counts, so that it
 * reads `dispute_of_settlement` for each settlement; `exists` may join all disputes.
 */
export const hasOpenDispute = (settlementId: string) =>
  `(select count(*) > 0 from commerce.dispute x
     where x.settlement_id = ${settlementId} and x.status in ('needs_response', 'under_review'))`;

const payment = statement<DisputedPayment>(
  'dispute_payment',
  `select s.id as "settlementId", o.id as "orderId", o.business_unit_id as "businessUnitId", o.event_id as "eventId"
   from commerce.settlement s join commerce.customer_order o on o.id = s.order_id
   where s.provider = $1 and s.provider_payment_id = $2`,
);

/** The disputed payment; null while no order has received it. */
export async function findDisputedPayment(
  db: Db,
  provider: string,
  paymentId: string,
): Promise<DisputedPayment | null> {
  const [row] = await db.query(payment, [provider, paymentId]);
  return row ?? null;
}

const insert = statement<{ id: string }>(
  'dispute_insert',
  `insert into commerce.dispute (provider, provider_dispute_id, provider_payment_id, amount, currency, status, reason,
     respond_by, created_at, reported_at, settlement_id, order_id, business_unit_id, event_id, received_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, clock_timestamp())
   on conflict do nothing returning provider_dispute_id as id`,
);

/** Stores a dispute that is not stored yet. Returns whether it was. */
export async function insertDispute(
  tx: Tx,
  provider: string,
  reported: ReportedDispute,
  of: DisputedPayment | null,
): Promise<boolean> {
  const rows = await tx.query(insert, [
    provider,
    reported.disputeId,
    reported.paymentId,
    reported.amount,
    reported.currency,
    reported.status,
    reported.reason,
    reported.respondBy,
    reported.createdAt,
    reported.reportedAt,
    of?.settlementId ?? null,
    of?.orderId ?? null,
    of?.businessUnitId ?? null,
    of?.eventId ?? null,
  ]);
  return rows.length > 0;
}

const lock = statement<DisputeRow>(
  'dispute_lock',
  `select ${columns.sql} from commerce.dispute d where provider = $1 and provider_dispute_id = $2 for update`,
);

/** Locks a stored dispute. */
export async function lockDispute(
  tx: Tx,
  provider: string,
  { disputeId }: ReportedDispute,
): Promise<DisputeRow | null> {
  const [row] = await tx.query(lock, [provider, disputeId]);
  return row ?? null;
}

const update = statement(
  'dispute_update',
  `update commerce.dispute set amount = $3, status = $4, reason = $5, respond_by = $6, reported_at = $7
   where provider = $1 and provider_dispute_id = $2`,
);

/** Stores a later state of a dispute. */
export const updateDispute = (tx: Tx, provider: string, reported: ReportedDispute) =>
  tx.query(update, [
    provider,
    reported.disputeId,
    reported.amount,
    reported.status,
    reported.reason,
    reported.respondBy,
    reported.reportedAt,
  ]);

const link = statement(
  'dispute_link',
  `update commerce.dispute set settlement_id = $3, order_id = $4, business_unit_id = $5, event_id = $6
   where provider = $1 and provider_payment_id = $2 and order_id is null`,
);

/** Assigns the disputes of a payment to the order that has received it. */
export const linkDisputesOf = (
  tx: Tx,
  provider: string,
  paymentId: string,
  { settlementId, orderId, businessUnitId, eventId }: DisputedPayment,
) => tx.query(link, [provider, paymentId, settlementId, orderId, businessUnitId, eventId]);

const unlinked = statement<{ provider: string; paymentId: string } & DisputedPayment>(
  'disputes_unlinked',
  `select d.provider, d.provider_payment_id as "paymentId", s.id as "settlementId", o.id as "orderId",
     o.business_unit_id as "businessUnitId", o.event_id as "eventId"
   from commerce.dispute d
   join commerce.settlement s on s.provider = d.provider and s.provider_payment_id = d.provider_payment_id
   join commerce.customer_order o on o.id = s.order_id
   where d.order_id is null and ($2::text is null or o.business_unit_id = $2) limit $1`,
);

/** Disputes of payments that an order has received, which are not assigned to it yet. */
export const findUnlinkedDisputes = (db: Db, limit: number, businessUnitId: string | null) =>
  db.query(unlinked, [limit, businessUnitId]);

const hasUnlinked = statement<{ id: string }>(
  'dispute_of_payment_unlinked',
  `select provider_dispute_id as id from commerce.dispute
   where provider = $1 and provider_payment_id = $2 and order_id is null limit 1`,
);

/** Whether a dispute of this payment waits for its order. */
export const hasUnlinkedDispute = async (
  db: Db,
  provider: string,
  paymentId: string,
): Promise<boolean> => (await db.query(hasUnlinked, [provider, paymentId])).length > 0;

/** The statuses of a dispute that is not decided. */
export const openStatuses = ['inquiry', 'needs_response', 'under_review'] as const;

export interface OpenDisputes {
  status: (typeof openStatuses)[number];
  count: number;
}

// Reads `dispute_open`.
const open = statement<OpenDisputes>(
  'disputes_open',
  `select d.status, count(*)::int as count
   from (select status from commerce.dispute
     where status in ('inquiry', 'needs_response', 'under_review') order by respond_by limit 10000) d group by 1`,
);

/** Disputes that are not decided, by status; at most 10,000. */
export const readOpenDisputes = (db: Db): Promise<OpenDisputes[]> => db.query(open);
