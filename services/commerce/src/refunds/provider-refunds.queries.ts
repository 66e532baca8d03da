import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { ReportedRefund } from '../payments/providers/provider.ts';
import { Settlement } from '../settlements/settlement.entity.ts';
import { ProviderRefund } from './provider-refund.entity.ts';

const columns = columnsOf(ProviderRefund, 'r', {
  only: ['provider', 'providerRefundId', 'refundId', 'amount', 'currency', 'state', 'failure'],
});
const settlement = columnsOf(Settlement, 's', { only: ['orderId'] });

/** A refund that a provider reports, with the settlement and the order of its payment. */
export interface ProviderRefundRow extends RowOf<typeof columns> {
  settlementId: string;
  orderId: string;
  businessUnitId: string;
  eventId: string;
}

const insert = statement(
  'provider_refund_insert',
  `insert into commerce.provider_refund as r (provider, provider_refund_id, provider_payment_id, refund_id, amount, currency,
     state, failure, received_at, last_attempt_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp(), clock_timestamp())
   on conflict (provider, provider_refund_id) do update
     set state = excluded.state, failure = excluded.failure, processed_at = null
     where r.state = 'done' and excluded.state = 'failed'`,
);

/** Records a refund that a provider reports, or that a recorded one has failed. */
export const insertProviderRefund = (db: Db, provider: string, refund: ReportedRefund) =>
  db.query(insert, [
    provider,
    refund.providerRefundId,
    refund.paymentId,
    refund.refundId,
    refund.amount,
    refund.currency,
    refund.state,
    refund.failure,
  ]);

// The settlement and the refund are recorded in any order. Each one is matched after it is stored,
// so that one of the two statements sees both.
const match = statement(
  'provider_refunds_match',
  `update commerce.provider_refund r set settlement_id = s.id from commerce.settlement s
   where r.provider = $1 and r.provider_payment_id = $2 and r.settlement_id is null
     and s.provider = r.provider and s.provider_payment_id = r.provider_payment_id`,
);

/** Assigns the recorded refunds of a payment to its settlement, as far as both are stored. */
export const matchProviderRefunds = (db: Db, provider: string, providerPaymentId: string) =>
  db.query(match, [provider, providerPaymentId]);

const select = `select ${columns.sql}, s.id as "settlementId", ${settlement.sql},
     o.business_unit_id as "businessUnitId", o.event_id as "eventId"
   from commerce.provider_refund r join commerce.settlement s on s.id = r.settlement_id
   join commerce.customer_order o on o.id = s.order_id`;

const toApply = statement<ProviderRefundRow>(
  'provider_refunds_to_apply',
  `${select} where r.settlement_id is not null and r.processed_at is null
     and r.last_attempt_at <= clock_timestamp() - $1 * interval '1 ms' and ($3::text is null or o.business_unit_id = $3)
   order by r.last_attempt_at limit $2`,
);

/**
 * Refunds whose current state is not applied to the order of their payment yet, of one business
 * unit, or of all with null.
 */
export const findProviderRefunds = (
  db: Db,
  minIdleMs: number,
  limit: number,
  businessUnitId: string | null,
): Promise<ProviderRefundRow[]> => db.query(toApply, [minIdleMs, limit, businessUnitId]);

const one = statement<ProviderRefundRow>(
  'provider_refund_to_apply',
  `${select} where r.provider = $1 and r.provider_refund_id = $2 and (r.processed_at is null) is true`,
);

/** A recorded refund, unless it is applied or the order of its payment is not known yet. */
export async function findProviderRefund(
  db: Db,
  provider: string,
  providerRefundId: string,
): Promise<ProviderRefundRow | null> {
  const [row] = await db.query(one, [provider, providerRefundId]);
  return row ?? null;
}

const setLastAttemptAt = statement<{ attemptedAt: Date }>(
  'provider_refund_record_attempt',
  `update commerce.provider_refund
   set last_attempt_at = greatest(clock_timestamp(), last_attempt_at + interval '1 ms')
   where provider = $1 and provider_refund_id = $2 returning last_attempt_at as "attemptedAt"`,
);

/** Stores the time of an attempt to apply a reported refund, which no other attempt has. */
export async function recordProviderRefundAttempt(
  db: Db,
  { provider, providerRefundId }: ProviderRefundRow,
): Promise<Date | null> {
  const [row] = await db.query(setLastAttemptAt, [provider, providerRefundId]);
  return row?.attemptedAt ?? null;
}

const setProcessed = statement(
  'provider_refund_set_processed',
  `update commerce.provider_refund set processed_at = clock_timestamp()
   where provider = $1 and provider_refund_id = $2 and state = $3 and last_attempt_at = $4 and processed_at is null`,
);

/**
 * Marks a reported state as applied by an attempt. A refund that has failed meanwhile, or that is to
 * be applied again, stays unapplied.
 */
export const markProcessed = (
  db: Db,
  { provider, providerRefundId, state }: ProviderRefundRow,
  attemptedAt: Date | null,
) => db.query(setProcessed, [provider, providerRefundId, state, attemptedAt]);

const reopen = statement(
  'provider_refunds_reopen',
  `update commerce.provider_refund
   set processed_at = null, last_attempt_at = greatest(clock_timestamp(), last_attempt_at + interval '1 ms')
   where settlement_id = $1 and state = 'done'`,
);

/** Has the refunds of a settlement that are done at the provider applied again, by the sweep. */
export const reopenProviderRefunds = (tx: Tx, settlementId: string) =>
  tx.query(reopen, [settlementId]);
