import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { OrderRef } from '../orders/order-ref.ts';
import { Payment } from '../payments/payment.entity.ts';
import { Settlement } from './settlement.entity.ts';

const columns = columnsOf(Settlement, 's', {
  omit: ['providerNotificationId', 'orderId', 'reason', 'receivedAt', 'lastAttemptAt', 'taxAmount'],
});

export type SettlementRow = RowOf<typeof columns>;

const insert = statement<{ id: string }>(
  'settlement_insert',
  `insert into commerce.settlement (id, provider, provider_notification_id, provider_payment_id, session_id, attempt_id,
     notified_order_id, amount, currency, livemode, state, received_at, last_attempt_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'received', clock_timestamp(), clock_timestamp())
   on conflict do nothing returning id`,
);

/**
 * Records a payment that a provider reports. Returns false for a payment that is already recorded,
 * even from another notification.
 */
export async function insertSettlement(
  db: Db,
  settlement: Omit<SettlementRow, 'state' | 'feeAmount'> & { providerNotificationId: string },
): Promise<boolean> {
  const rows = await db.query(insert, [
    settlement.id,
    settlement.provider,
    settlement.providerNotificationId,
    settlement.providerPaymentId,
    settlement.sessionId,
    settlement.attemptId,
    settlement.notifiedOrderId,
    settlement.amount,
    settlement.currency,
    settlement.livemode,
  ]);
  return rows.length > 0;
}

/** The attempt `p` that the settlement `s` belongs to by its session. */
export const paymentOfSettlement = `commerce.payment p
     on p.provider = s.provider and (p.session_id = s.session_id or (p.id = s.attempt_id and p.session_id is null))`;

/** The order of that attempt, for a statement that joins it. */
export const orderOfPayment = columnsOf(Payment, 'p', {
  only: ['orderId', 'businessUnitId', 'eventId'],
});

const received = statement<SettlementRow & OrderRef>(
  'settlements_received',
  `select ${columns.sql}, ${orderOfPayment.sql}
   from commerce.settlement s left join ${paymentOfSettlement}
   where s.state = 'received' and s.last_attempt_at <= clock_timestamp() - $1 * interval '1 ms'
     and ($3::text is null or p.business_unit_id = $3)
   order by s.last_attempt_at limit $2`,
);

/**
 * Received settlements that are not processed yet, of one business unit, or of all with null, with
 * the order of their session.
 */
export const findReceived = (
  db: Db,
  minIdleMs: number,
  limit: number,
  businessUnitId: string | null,
): Promise<(SettlementRow & OrderRef)[]> => db.query(received, [minIdleMs, limit, businessUnitId]);

const receivedOfOrder = statement<SettlementRow>(
  'settlements_received_of_order',
  `select ${columns.sql} from commerce.settlement s join ${paymentOfSettlement}
   where p.order_id = $1 and s.state = 'received'`,
);

/** Received settlements of an order's payment sessions that are not processed yet. */
export const findReceivedOfOrder = (db: Db, orderId: string): Promise<SettlementRow[]> =>
  db.query(receivedOfOrder, [orderId]);

const isReceived = statement<{ id: string }>(
  'settlement_is_received',
  `select id from commerce.settlement where id = $1 and (state = 'received') is true`,
);

/** Whether the settlement is still to be processed. Call it under the lock of the order. */
export const isPending = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.query(isReceived, [id])).length > 0;

const setState = statement<{ id: string }>(
  'settlement_set_state',
  `update commerce.settlement set state = $2, order_id = $3, reason = $4
   where id = $1 and (state = 'received') is true returning id`,
);

/**
 * Stores the final state of a settlement, once. Returns false if another process has stored it
 * before.
 */
export const writeSettlementState = async (
  db: Db,
  id: string,
  state: Exclude<SettlementRow['state'], 'received'>,
  { orderId = null, reason = null }: { orderId?: string | null; reason?: string | null } = {},
): Promise<boolean> => (await db.query(setState, [id, state, orderId, reason])).length > 0;

const setLastAttemptAt = statement(
  'settlement_record_attempt',
  'update commerce.settlement set last_attempt_at = clock_timestamp() where id = $1',
);

export const recordSettlementAttempt = (db: Db, id: string) => db.query(setLastAttemptAt, [id]);

const byId = statement<SettlementRow>(
  'settlement_by_id',
  `select ${columns.sql} from commerce.settlement s where s.id = $1`,
);

export async function readSettlement(db: Db, id: string): Promise<SettlementRow> {
  const [row] = await db.query(byId, [id]);
  if (!row) throw new Error('settlement not found');
  return row;
}

export interface PendingSettlementStats {
  count: number;
  oldestSeconds: number;
}

// Reads `settlement_received` and `customer_order_unfinished`: settlements without a result, and
// settlements whose order waits for its fulfilment.
const pendingStats = statement<PendingSettlementStats>(
  'settlements_pending',
  `select count(*)::int as count,
     greatest(0, coalesce(extract(epoch from clock_timestamp() - min(received_at)), 0))::float8 as "oldestSeconds"
   from (
     (select received_at from commerce.settlement where state = 'received' order by last_attempt_at limit 500)
     union all
     (select s.received_at from (
        select settlement_id from commerce.customer_order
        where (status in ('held', 'awaiting_payment') or (status = 'expired' and settlement_id is not null))
          and settlement_id is not null limit 500
      ) o join commerce.settlement s on s.id = o.settlement_id)
   ) w`,
);

/** Settlements without a final result: at most 500 received ones and 500 of unfinished orders. */
export async function readPendingStats(db: Db): Promise<PendingSettlementStats> {
  const [row] = await db.query(pendingStats);
  return row ?? { count: 0, oldestSeconds: 0 };
}
