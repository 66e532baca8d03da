import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { OrderRef } from '../orders/order-ref.ts';
import type { settlementStates } from './settlement.entity.ts';

export interface SettlementRow {
  id: string;
  provider: string;
  providerPaymentId: string;
  sessionId: string;
  attemptId: string | null;
  toldOrderId: string | null;
  amount: number;
  currency: string;
  livemode: boolean | null;
  state: (typeof settlementStates)[number];
}

const insert = statement<{ id: string }>(
  'settlement_insert',
  `insert into commerce.settlement (id, provider, provider_event_id, provider_payment_id, session_id, attempt_id,
     told_order_id, amount, currency, livemode, state, received_at, tried_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'received', clock_timestamp(), to_timestamp(0))
   on conflict do nothing returning id`,
);

/** Keeps a payment that a provider has told of; one that is known, by whatever notification, is not kept twice. */
export const insertSettlement = (
  db: Db,
  settlement: Omit<SettlementRow, 'state'> & { providerEventId: string },
) =>
  db.query(insert, [
    settlement.id,
    settlement.provider,
    settlement.providerEventId,
    settlement.providerPaymentId,
    settlement.sessionId,
    settlement.attemptId,
    settlement.toldOrderId,
    settlement.amount,
    settlement.currency,
    settlement.livemode,
  ]);

const columns = `s.id, s.provider, s.provider_payment_id as "providerPaymentId", s.session_id as "sessionId",
   s.attempt_id as "attemptId", s.told_order_id as "toldOrderId", s.amount, s.currency, s.livemode, s.state`;

/** The attempt `p` that the settlement `s` belongs to by its session. */
export const paymentOfSettlement = `commerce.payment p
     on p.provider = s.provider and (p.session_id = s.session_id or (p.id = s.attempt_id and p.session_id is null))`;

const received = statement<SettlementRow & OrderRef>(
  'settlements_received',
  `select ${columns}, p.order_id as "orderId", p.business_unit_id as "businessUnitId", p.event_id as "eventId"
   from commerce.settlement s left join ${paymentOfSettlement}
   where s.state = 'received' and s.tried_at <= clock_timestamp() - $1 * interval '1 ms'
     and ($3::text is null or p.business_unit_id = $3)
   order by s.tried_at limit $2`,
);

/** Settlements that were received and not processed yet, of one unit or of all, with the order of their session. */
export const findReceived = (
  db: Db,
  minIdleMs: number,
  limit: number,
  businessUnitId: string | null,
): Promise<(SettlementRow & OrderRef)[]> => db.query(received, [minIdleMs, limit, businessUnitId]);

const receivedOfOrder = statement<SettlementRow>(
  'settlements_received_of_order',
  `select ${columns} from commerce.settlement s join ${paymentOfSettlement}
   where p.order_id = $1 and s.state = 'received'`,
);

/** Settlements of an order's payment sessions that nothing has come of yet. */
export const findReceivedOfOrder = (db: Db, orderId: string): Promise<SettlementRow[]> =>
  db.query(receivedOfOrder, [orderId]);

const isReceived = statement<{ id: string }>(
  'settlement_is_received',
  `select id from commerce.settlement where id = $1 and state = 'received'`,
);

/** Whether it is still to be judged; asked under the order's lock. */
export const isPending = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.query(isReceived, [id])).length > 0;

const setState = statement<{ id: string }>(
  'settlement_judge',
  `update commerce.settlement set state = $2, order_id = $3, reason = $4
   where id = $1 and state = 'received' returning id`,
);

/** Writes what a settlement was decided to be, once. Returns false when another process has decided it before. */
export const writeSettlementState = async (
  db: Db,
  id: string,
  state: Exclude<SettlementRow['state'], 'received'>,
  { orderId = null, reason = null }: { orderId?: string | null; reason?: string | null } = {},
): Promise<boolean> => (await db.query(setState, [id, state, orderId, reason])).length > 0;

const setTriedAt = statement(
  'settlement_touch',
  'update commerce.settlement set tried_at = clock_timestamp() where id = $1',
);

export const recordSettlementAttempt = (db: Db, id: string) => db.query(setTriedAt, [id]);

const byId = statement<SettlementRow>(
  'settlement_one',
  `select ${columns} from commerce.settlement s where s.id = $1`,
);

export async function readSettlement(db: Db, id: string): Promise<SettlementRow> {
  const [row] = await db.query(byId, [id]);
  if (!row) throw new Error('a settlement has disappeared');
  return row;
}

export interface PendingSettlementStats {
  count: number;
  oldestSeconds: number;
}

// By `settlement_received` and `customer_order_unfinished`: those that nothing has come of, and those whose order
// waits for its fulfilment.
const pendingStats = statement<PendingSettlementStats>(
  'settlements_waiting',
  `select count(*)::int as count,
     greatest(0, coalesce(extract(epoch from clock_timestamp() - min(received_at)), 0))::float8 as "oldestSeconds"
   from (
     (select received_at from commerce.settlement where state = 'received' order by tried_at limit 500)
     union all
     (select s.received_at from (
        select settlement_id from commerce.customer_order
        where (status in ('held', 'awaiting_payment') or (status = 'expired' and settlement_id is not null))
          and settlement_id is not null limit 500
      ) o join commerce.settlement s on s.id = o.settlement_id)
   ) w`,
);

/** Money that has come and of which nothing has come yet, up to 1,000 payments. */
export async function readPendingStats(db: Db): Promise<PendingSettlementStats> {
  const [row] = await db.query(pendingStats);
  return row ?? { count: 0, oldestSeconds: 0 };
}
