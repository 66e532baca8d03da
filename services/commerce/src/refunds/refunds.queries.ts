import { defaultRefundAfterHours, type RefundExtent } from '@event-api/contracts/operator/refunds';
import { type Columns, columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { Refund } from './refund.entity.ts';
import { paysForNothing } from './refunds.rules.ts';

const columns = columnsOf(Refund, 'r', { omit: ['lastAttemptAt', 'sendAt'] });

/**
 * A refund. `requestedAgoMs`: since `requestedAt`, by the clock of the database. `sendsAt`: when the
 * platform sends it by itself.
 */
export const refundColumns: Columns<
  RowOf<typeof columns> & { requestedAgoMs: number | null; sendsAt: Date | null }
> = {
  sql: `${columns.sql},
   case when r.state = 'due' and r.failure is null and not exists (
     select from commerce.refund_delay d
     where d.business_unit_id = r.business_unit_id and d.refund_after_hours is null) then r.send_at end as "sendsAt",
   (extract(epoch from clock_timestamp() - r.requested_at) * 1000)::float8 as "requestedAgoMs"`,
};
export type RefundRow = RowOf<typeof refundColumns>;

/** A column of the order of the refund `r`. */
export const ofItsOrder = (column: string) =>
  `(select o.${column} from commerce.customer_order o where o.id = r.order_id and o.business_unit_id = r.business_unit_id)`;

/**
 * What is owed. A refund that an operator requested replaces those that were requested before for
 * the order and have failed. The first condition is that of `refund_owed`.
 */
export const isOwed = `r.state in ('due', 'pending', 'failed') and (r.state <> 'failed' or not exists (
     select 1 from commerce.refund later
     where later.order_id = r.order_id and later.cause = 'operator'
       and (later.created_at, later.id) > (r.created_at, r.id)))`;

/** A refund in a list, with the order that it belongs to. */
export const listedColumns = (
  owed = isOwed,
): Columns<
  RowOf<typeof refundColumns> & { orderNumber: string; email: string; isOwed: boolean }
> => ({
  sql: `${refundColumns.sql}, ${ofItsOrder('order_number')} as "orderNumber",
       ${ofItsOrder('email')} as email, (${owed}) as "isOwed"`,
});
export type ListedRefundRow = RowOf<ReturnType<typeof listedColumns>>;

/** The `order.refund` request that a refund belongs to. */
export interface RefundRequestRef {
  requestId: string;
  extent: RefundExtent;
}

const insert = statement(
  'refund_insert',
  `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state, cause,
     reason, created_at, last_attempt_at, request_id, requested_extent, requested_at, registration_ids, revokes_seats, send_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp(), clock_timestamp(), $11::text, $12,
     case when $11::text is not null then clock_timestamp() end, $13, $14, case when $15::boolean then
       clock_timestamp() + (select case when count(*) = 0 then ${defaultRefundAfterHours} else max(d.refund_after_hours) end
         from commerce.refund_delay d where d.business_unit_id = $2) * interval '1 hour' end)`,
);

type NewRefund = Pick<
  RefundRow,
  | 'id'
  | 'businessUnitId'
  | 'eventId'
  | 'orderId'
  | 'settlementId'
  | 'amount'
  | 'currency'
  | 'state'
  | 'cause'
  | 'reason'
> & {
  /** Whether it would be sent now, and is due because an open dispute holds the money. */
  isHeldBack?: boolean;
};

/** The registrations whose prices a refund pays back, and whether they are revoked. */
export interface RefundedSeats {
  ids: readonly string[];
  isRevoked: boolean;
}

const noSeats: RefundedSeats = { ids: [], isRevoked: false };

export const insertRefund = (
  tx: Tx,
  r: NewRefund,
  request: RefundRequestRef | null = null,
  seats = noSeats,
) =>
  tx.query(insert, [
    r.id,
    r.businessUnitId,
    r.eventId,
    r.orderId,
    r.settlementId,
    r.amount,
    r.currency,
    r.state,
    r.cause,
    r.reason,
    request?.requestId ?? null,
    request?.extent ?? null,
    seats.ids,
    seats.isRevoked,
    r.state === 'due' && (paysForNothing(r.cause) || r.isHeldBack === true),
  ]);

const ofOrder = statement<RefundRow>(
  'refunds_of_order',
  `select ${refundColumns.sql} from commerce.refund r where r.order_id = $1 order by r.created_at, r.id`,
);

export const findRefundsOfOrder = (db: Db, orderId: string): Promise<RefundRow[]> =>
  db.query(ofOrder, [orderId]);

const ofOrders = statement<RefundRow>(
  'refunds_of_orders',
  `select ${refundColumns.sql} from commerce.refund r where r.order_id = any($1)`,
);

/** The refunds of these orders, by order. */
export async function findRefundsOfOrders(
  db: Db,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, RefundRow[]>> {
  const rows = await db.query(ofOrders, [orderIds]);
  return Map.groupBy(rows, ({ orderId }) => orderId);
}

const start = statement(
  'refund_start',
  `update commerce.refund set state = 'pending', reason = coalesce($2, reason), failure = null,
     last_attempt_at = clock_timestamp(), request_id = $3, requested_extent = $4, requested_at = clock_timestamp()
   where id = any($1) and (state = 'due') is true`,
);

/** Changes due refunds to `pending`. */
export const startRefunds = (
  tx: Tx,
  ids: readonly string[],
  reason: string | null,
  { requestId, extent }: RefundRequestRef,
) => tx.query(start, [ids, reason, requestId, extent]);

const withdraw = statement(
  'refund_withdraw',
  "update commerce.refund set state = 'withdrawn' where id = any($1) and (state = 'due') is true",
);

/** Marks due refunds as not owed any more. */
export const withdrawRefunds = (tx: Tx, ids: readonly string[]) => tx.query(withdraw, [ids]);

const withdrawFailed = statement<{ id: string }>(
  'refund_withdraw_failed',
  `update commerce.refund set state = 'withdrawn'
   where order_id = $1 and (state = 'failed') is true and (business_unit_id = $2) is true returning id`,
);

/** Marks the failed refunds of an order as not owed any more, and returns their ids. */
export async function withdrawFailedRefunds(
  tx: Tx,
  orderId: string,
  businessUnitId: string,
): Promise<string[]> {
  const rows = await tx.query(withdrawFailed, [orderId, businessUnitId]);
  return rows.map((row) => row.id).toSorted();
}

const complete = statement(
  'refund_complete',
  `update commerce.refund set state = $2, provider_refund_id = coalesce($3, provider_refund_id), failure = $4,
     refusals = refusals + ($4::text is not null)::int, amount = coalesce($5, amount), done_at = case when $2 = 'done' then clock_timestamp() end
   where id = $1 and (state = 'pending') is true`,
);

/** Stores the response of the provider to a pending refund, and what is still owed of it. */
export const completeRefund = (
  tx: Tx,
  id: string,
  result: {
    state: 'done' | 'failed' | 'due' | 'withdrawn';
    providerRefundId: string | null;
    failure: string | null;
    amount?: number;
  },
) => {
  const { state, providerRefundId, failure, amount = null } = result;
  return tx.query(complete, [id, state, providerRefundId, failure, amount]);
};

const payAtProvider = statement(
  'refund_pay_at_provider',
  `update commerce.refund set state = 'done', amount = $2, provider_refund_id = $3, failure = null,
     done_at = clock_timestamp()
   where id = $1 and state in ('due', 'pending')`,
);

/** Marks a refund as done up to an amount, which the provider reports before it was asked. */
export const writePaidAtProvider = (
  tx: Tx,
  id: string,
  { amount, providerRefundId }: { amount: number; providerRefundId: string },
) => tx.query(payAtProvider, [id, amount, providerRefundId]);

const failDone = statement(
  'refund_fail_done',
  `update commerce.refund set state = $2, failure = $3, done_at = null where id = $1 and (state = 'done') is true`,
);

/** Marks a refund that was done as failed, or as replaced by another one that is due. */
export const writeFailedLater = (
  tx: Tx,
  id: string,
  { state, failure }: { state: 'failed' | 'withdrawn'; failure: string | null },
) => tx.query(failDone, [id, state, failure]);

const insertRest = statement(
  'refund_insert_rest',
  `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state, cause,
     reason, failure, created_at, last_attempt_at, registration_ids, revokes_seats, send_at)
   select $2, business_unit_id, event_id, order_id, settlement_id, $3, currency, 'due', cause, reason, coalesce($4, failure),
     created_at, last_attempt_at, registration_ids, revokes_seats, send_at
   from commerce.refund where id = $1`,
);

/** Creates a due refund for what is owed in the place of another one, at whose time it is sent. */
export const insertRestOfRefund = (
  tx: Tx,
  refundId: string,
  rest: { id: string; amount: number; failure: string | null },
) => tx.query(insertRest, [refundId, rest.id, rest.amount, rest.failure]);

const withdrawFailedOnes = statement(
  'refunds_withdraw_failed_ones',
  "update commerce.refund set state = 'withdrawn' where id = any($1) and (state = 'failed') is true",
);

/** Marks failed refunds as not owed any more. */
export const withdrawFailedOf = (tx: Tx, ids: readonly string[]) =>
  tx.query(withdrawFailedOnes, [ids]);

const pending = statement<RefundRow>(
  'refunds_pending',
  `select ${refundColumns.sql} from commerce.refund r
   where r.state = 'pending' and r.last_attempt_at <= clock_timestamp() - $1 * interval '1 ms'
     and ($3::text is null or r.business_unit_id = $3)
   order by r.last_attempt_at limit $2`,
);

/**
 * Pending refunds, which the provider has not confirmed, of one business unit, or of all with null.
 */
export const findPendingRefunds = (
  db: Db,
  minIdleMs: number,
  limit: number,
  businessUnitId: string | null,
): Promise<RefundRow[]> => db.query(pending, [minIdleMs, limit, businessUnitId]);

const setLastAttemptAt = statement(
  'refund_record_attempt',
  'update commerce.refund set last_attempt_at = clock_timestamp() where id = $1',
);

export const recordRefundAttempt = (db: Db, id: string) => db.query(setLastAttemptAt, [id]);

export interface RefundsDue {
  currency: string;
  count: number;
  amount: number;
  /**
   * Seconds since the last attempt on the due refund that has waited longest. One that is sent later
   * by itself waits since that time.
   */
  idleSeconds: number;
}

// Reads `refund_due`, oldest attempt first.
const due = statement<RefundsDue>(
  'refunds_due',
  `select currency, count(*)::int as count, sum(amount)::bigint as amount,
     greatest(0, extract(epoch from clock_timestamp() - min(greatest(last_attempt_at, time))))::float8 as "idleSeconds"
   from (
     select currency, amount, last_attempt_at, case when failure is null then send_at end as time from commerce.refund where state = 'due' order by last_attempt_at limit 10000
   ) d group by currency`,
);

/** Due refunds that are not pending, by currency; the 10,000 with the oldest attempt. */
export const readRefundsDue = (db: Db): Promise<RefundsDue[]> => db.query(due);
