import { currentAudited } from '@event-api/platform/audit/audited-request';
import { auditParameter, insertAuditSql } from '@event-api/platform/audit/write';
import { currentActor } from '@event-api/platform/core/actor';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Database, Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import {
  announceChanges,
  insertChangesSql,
  newChangeId,
} from '@event-api/platform/messaging/changes/write';
import { CustomerOrder } from '../orders/order.entity.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { Payment } from './payment.entity.ts';
import type { PaymentDecline } from './providers/provider.ts';

const columns = columnsOf(Payment, 'p', { omit: ['createdAt', 'lastAttemptAt'] });
const orderColumns = columnsOf(CustomerOrder, 'o', { only: ['orderNumber', 'email'] });

/**
 * One attempt to collect a payment, with the fields of the order that the provider receives.
 * `holdExpiresAt`: until when the seats are held that it pays for, those of the order or of its change.
 */
export type PaymentRow = RowOf<typeof columns> &
  RowOf<typeof orderColumns> & { title: string; holdExpiresAt: Date };

// The title consists of the lines as they were sold: a retry of an attempt must send identical
// parameters.
const titleOf = (orderId: string) => `left((
     select string_agg(l.quantity || ' × ' || l.name, ', ' order by l.position)
     from commerce.order_line l where l.order_id = ${orderId}), 100)`;

const holdExpiresAt = `coalesce(
     (select c.expires_at from commerce.order_change c where c.id = p.change_id), o.hold_expires_at)`;

const select = `select ${columns.sql}, ${orderColumns.sql}, ${holdExpiresAt} as "holdExpiresAt", ${titleOf('o.id')} as title
   from commerce.payment p join commerce.customer_order o on o.id = p.order_id`;

const live = statement<PaymentRow>(
  'payment_live',
  `${select} where p.order_id = $1 and p.state in ('creating', 'open') and (p.change_id is null) is true`,
);

/** The attempt that is creating its session or has an open one. */
export async function findOpenPayment(db: Db, orderId: string): Promise<PaymentRow | null> {
  const [row] = await db.query(live, [orderId]);
  return row ?? null;
}

const created = columnsOf(Payment, 'attempt', { only: ['createdAt'] });

const insert = statement<RowOf<typeof created> & { version: number; title: string }>(
  'payment_insert',
  `with o as (
     update commerce.customer_order set version = version + 1
     where id = $2 and version = $6
     returning id, business_unit_id, event_id, status, total_amount, currency, version
   ), attempt as (
     insert into commerce.payment (id, business_unit_id, event_id, order_id, provider, state, amount, currency,
       fee_amount, success_url, cancel_url, created_at, last_attempt_at)
     select $1, o.business_unit_id, o.event_id, o.id, $3, 'creating', o.total_amount, o.currency, $10, $4, $5,
       clock_timestamp(), clock_timestamp()
     from o returning created_at
   ), changes as (
     ${insertChangesSql('commerce', 'o', {
       id: '$7',
       actor: '$8',
       type: 'order.payment_changed',
       businessUnitId: 'o.business_unit_id',
       eventId: 'o.event_id',
       objectId: 'o.id',
       version: 'o.version',
       previousStatus: 'o.status',
       currentStatus: 'o.status',
     })}
   ), audits as (${insertAuditSql('commerce', '$9', 'o')})
   select o.version, ${created.sql}, ${titleOf('o.id')} as title from o, attempt`,
);

/**
 * Stores a new attempt to pay an order, and returns it with the order. Null without an effect if the
 * order has changed since it was read. Reports: `order.payment_changed`.
 */
export async function insertPayment(
  db: Database,
  order: OrderRow,
  attempt: Pick<PaymentRow, 'id' | 'provider' | 'feeAmount' | 'successUrl' | 'cancelUrl'>,
): Promise<{ order: OrderRow; attempt: PaymentRow } | null> {
  const audited = currentAudited();
  const [row] = await db.query(insert, [
    attempt.id,
    order.id,
    attempt.provider,
    attempt.successUrl,
    attempt.cancelUrl,
    order.version,
    newChangeId(),
    JSON.stringify(currentActor()),
    auditParameter(audited, [order.id]),
    attempt.feeAmount,
  ]);
  if (!row) return null;
  if (audited) audited.isRecorded = true;
  await announceChanges(db);
  const { version, createdAt, title } = row;
  const state = 'creating' as const;
  const at = createdAt.toISOString();
  return {
    order: { ...order, version, paymentAttempts: [...order.paymentAttempts, { at, state }] },
    attempt: {
      ...attempt,
      businessUnitId: order.businessUnitId,
      eventId: order.eventId,
      orderId: order.id,
      changeId: null,
      orderNumber: order.orderNumber,
      email: order.email,
      title,
      state,
      amount: order.totalAmount,
      currency: order.currency,
      sessionId: null,
      url: null,
      holdExpiresAt: order.holdExpiresAt,
    },
  };
}

const insertOfChange = statement(
  'payment_insert_of_change',
  `insert into commerce.payment (id, business_unit_id, event_id, order_id, change_id, provider, state, amount, currency,
     fee_amount, success_url, cancel_url, created_at, last_attempt_at)
   values ($1, $2, $3, $4, $5, $6, 'creating', $7, $8, $11, $9, $10, clock_timestamp(), clock_timestamp())`,
);

/** Stores a new attempt to pay for a change of an order. Call it under the lock of the order. */
export const insertPaymentOfChange = (
  tx: Tx,
  attempt: Pick<
    PaymentRow,
    | 'id'
    | 'businessUnitId'
    | 'eventId'
    | 'orderId'
    | 'changeId'
    | 'provider'
    | 'amount'
    | 'feeAmount'
    | 'currency'
    | 'successUrl'
    | 'cancelUrl'
  >,
) =>
  tx.query(insertOfChange, [
    attempt.id,
    attempt.businessUnitId,
    attempt.eventId,
    attempt.orderId,
    attempt.changeId,
    attempt.provider,
    attempt.amount,
    attempt.currency,
    attempt.successUrl,
    attempt.cancelUrl,
    attempt.feeAmount,
  ]);

const ofChange = statement<PaymentRow>(
  'payments_of_change',
  `${select} where p.order_id = $1 and (p.change_id = $2) is true and p.state in ('creating', 'open', 'expiring')`,
);

/** The attempts to pay for a change whose session may still be paid. */
export const findPaymentsOfChange = (
  db: Db,
  orderId: string,
  changeId: string,
): Promise<PaymentRow[]> => db.query(ofChange, [orderId, changeId]);

const openSession = statement<{ version: number }>(
  'payment_open',
  `with o as (
     update commerce.customer_order set status = 'awaiting_payment', intent = null
     where id = $1 and version = $2 returning id, business_unit_id, event_id, version
   ), attempt as (
     update commerce.payment p set session_id = $4, url = $5, state = 'open' from o where p.id = $3
   ), changes as (
     ${insertChangesSql('commerce', 'o', {
       id: '$6',
       actor: '$7',
       type: 'order.awaiting_payment',
       businessUnitId: 'o.business_unit_id',
       eventId: 'o.event_id',
       objectId: 'o.id',
       version: 'o.version',
       previousStatus: '$8::text',
       currentStatus: "'awaiting_payment'::text",
     })}
   ), audits as (${insertAuditSql('commerce', '$9', 'o')})
   select version from o`,
);

/**
 * Stores the session of the attempt that creates it, and that the order awaits its payment. Returns
 * the order, or null without an effect if the order has changed since it was read. Reports:
 * `order.awaiting_payment`.
 */
export async function writeOpenSession(
  db: Database,
  order: OrderRow,
  paymentId: string,
  session: { sessionId: string; url: string },
): Promise<OrderRow | null> {
  const audited = currentAudited();
  const [row] = await db.query(openSession, [
    order.id,
    order.version,
    paymentId,
    session.sessionId,
    session.url,
    newChangeId(),
    JSON.stringify(currentActor()),
    order.status,
    auditParameter(audited, [order.id]),
  ]);
  if (!row) return null;
  if (audited) audited.isRecorded = true;
  await announceChanges(db);
  return {
    ...order,
    version: row.version,
    status: 'awaiting_payment',
    intent: null,
    paymentUrl: session.url,
    // An order has one attempt at a time that creates its session.
    paymentAttempts: order.paymentAttempts.map(({ at, state }) => ({
      at,
      state: state === 'creating' ? 'open' : state,
    })),
  };
}

const setSession = statement(
  'payment_set_session',
  `update commerce.payment set session_id = $2, url = $3, state = $4
   where id = $1 and state in ('creating', 'expiring')`,
);

/** Stores the session of an attempt. */
export const writeSession = (
  tx: Tx,
  paymentId: string,
  session: { sessionId: string; url: string },
  state: 'open' | 'expiring',
) => tx.query(setSession, [paymentId, session.sessionId, session.url, state]);

const setState = statement(
  'payment_set_state',
  `update commerce.payment set state = $2
   where id = $1 and state <> 'paid' and (state <> 'mismatch' or $2 = 'paid')
     and ($2 <> 'refused' or session_id is null)`,
);

/**
 * A paid attempt stays paid, and one that received another amount only becomes `paid`. An attempt
 * with a session cannot become `refused`.
 */
export const writePaymentState = (
  db: Db,
  paymentId: string,
  state: 'expired' | 'paid' | 'mismatch' | 'refused',
) => db.query(setState, [paymentId, state]);

const expireAll = statement(
  'payment_expire_all',
  `update commerce.payment set state = 'expiring' where order_id = $1 and state in ('creating', 'open')`,
);

/** Marks the attempts of an order: their sessions must be expired. */
export const markPaymentsExpiring = (tx: Tx, orderId: string) => tx.query(expireAll, [orderId]);

const dueToExpire = statement<PaymentRow>(
  'payments_to_expire',
  `${select} where p.last_attempt_at <= clock_timestamp() - $1 * interval '1 ms' and (
     p.state = 'expiring'
     or (p.state in ('creating', 'open') and ${holdExpiresAt} - $2 * interval '1 ms' <= clock_timestamp())
   ) and ($4::text is null or p.business_unit_id = $4) order by p.last_attempt_at limit $3`,
);

/**
 * Attempts whose session must be expired because the order is closed or its hold expires soon; of
 * one business unit, or of all with null.
 */
export const findPaymentsToExpire = (
  db: Db,
  options: {
    minIdleMs: number;
    sessionExpiryLeadMs: number;
    limit: number;
    businessUnitId: string | null;
  },
): Promise<PaymentRow[]> => {
  const { minIdleMs, sessionExpiryLeadMs, limit, businessUnitId } = options;
  return db.query(dueToExpire, [minIdleMs, sessionExpiryLeadMs, limit, businessUnitId]);
};

const unexpired = statement<PaymentRow>(
  'payments_unexpired',
  `${select} where p.order_id = $1 and p.state in ('creating', 'open', 'expiring')`,
);

/** The attempts of an order whose session may still be paid. */
export const findUnexpiredPayments = (db: Db, orderId: string): Promise<PaymentRow[]> =>
  db.query(unexpired, [orderId]);

const setLastAttemptAt = statement(
  'payment_record_attempt',
  'update commerce.payment set last_attempt_at = clock_timestamp() where id = $1',
);

export const recordPaymentAttempt = (db: Db, paymentId: string) =>
  db.query(setLastAttemptAt, [paymentId]);

const ofSession = statement<PaymentRow>(
  'payment_of_session',
  `${select} where p.provider = $1 and (p.session_id = $2 or (p.id = $3 and p.session_id is null))`,
);

/**
 * The attempt of a provider's session. An attempt whose session id is not stored yet is found by
 * its own id.
 */
export async function findPaymentOfSession(
  db: Db,
  provider: string,
  sessionId: string,
  attemptId: string | null,
): Promise<PaymentRow | null> {
  const [row] = await db.query(ofSession, [provider, sessionId, attemptId]);
  return row ?? null;
}

/** Limits the stored declines of a page: every client that knows its address can cause them. */
const maxDeclines = 100;

// The order moves to the end of the list of changes.
const insertDecline = statement<{ id: string }>(
  'payment_decline_insert',
  `with attempt as (
     select p.id, p.order_id from commerce.payment p
     where p.provider = $1 and (p.session_id = $3 or (p.id = $4 and (p.session_id is null or $3::text is null)))
       and (select count(*) from commerce.payment_decline d where d.payment_id = p.id) < ${maxDeclines}
   ), inserted as (
     insert into commerce.payment_decline (provider, provider_decline_id, payment_id, declined_at)
     select $1, $2, id, least(coalesce($5::timestamptz, clock_timestamp()), clock_timestamp()) from attempt
     on conflict do nothing returning payment_id
   ), o as (
     update commerce.customer_order o set version = o.version + 1
     from inserted join attempt on attempt.id = inserted.payment_id
     where o.id = attempt.order_id returning o.id, o.business_unit_id, o.event_id, o.status, o.version
   ), changes as (
     ${insertChangesSql('commerce', 'o', {
       id: '$6',
       actor: '$7',
       type: 'order.payment_changed',
       businessUnitId: 'o.business_unit_id',
       eventId: 'o.event_id',
       objectId: 'o.id',
       version: 'o.version',
       previousStatus: 'o.status',
       currentStatus: 'o.status',
     })}
   )
   select id from o`,
);

/**
 * Stores a declined card with the attempt of its session, once. A decline that belongs to no
 * attempt of this platform is not stored. Returns the id of the order if the decline is new.
 * Reports: `order.payment_changed`.
 */
export async function recordDecline(
  db: Pick<Database, 'query' | 'committed'>,
  provider: string,
  { declineId, sessionId, attemptId, declinedAt }: PaymentDecline,
): Promise<string | null> {
  const change = [newChangeId(), JSON.stringify(currentActor())];
  const values = [provider, declineId, sessionId, attemptId, declinedAt, ...change];
  const [row] = await db.query(insertDecline, values);
  if (!row) return null;
  await announceChanges(db);
  return row.id;
}
