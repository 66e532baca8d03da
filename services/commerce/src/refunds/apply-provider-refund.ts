import { unavailable } from '@event-api/platform/core/errors';
import { randomId } from '@event-api/platform/core/ids';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { changeOrder } from '../orders/change-order.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import type { ReportedRefund } from '../payments/providers/provider.ts';
import { readSettlement } from '../settlements/settlements.queries.ts';
import { endRefunded } from './end-refunded.ts';
import {
  findProviderRefund,
  insertProviderRefund,
  markProcessed,
  matchProviderRefunds,
  type ProviderRefundRow,
  recordProviderRefundAttempt,
  reopenProviderRefunds,
} from './provider-refunds.queries.ts';
import { decideProviderRefund } from './provider-refunds.rules.ts';
import {
  findRefundsOfOrder,
  insertRefund,
  insertRestOfRefund,
  withdrawFailedOf,
  writeFailedLater,
  writePaidAtProvider,
} from './refunds.queries.ts';
import { atProviderCause } from './refunds.rules.ts';
import { revokeChosenSeats, revokeRefundedOrder } from './revoke.ts';
import { type RefundDeps, revokeRefundedSeats } from './send.ts';
import { attendeeRegistered } from './withdrawal.rules.ts';

type ApplyRefundDeps = Omit<RefundDeps, 'provider' | 'accounts'>;

/**
 * Records a refund that a provider reports. Returns it if it is to be applied to an order now; null
 * if it is applied, or while its payment is not known.
 */
export async function recordProviderRefund(
  db: RefundDeps['db'],
  provider: string,
  refund: ReportedRefund,
): Promise<ProviderRefundRow | null> {
  await insertProviderRefund(db, provider, refund);
  await matchProviderRefunds(db, provider, refund.paymentId);
  return findProviderRefund(db, provider, refund.providerRefundId);
}

/**
 * Applies a refund that a provider reports to the order of its payment, and revokes what it
 * refunds, as `sendRefund` does. Safe to retry: a refund is recorded once.
 * Errors: 503 while the fulfilment of the order, other ticket types of its seats or the response to
 * this refund are not stored, and if registration is unavailable. Locks: the order. Reports:
 * `order.refunded` or `order.refund_changed`.
 */
export async function applyProviderRefund(
  deps: ApplyRefundDeps,
  reported: ProviderRefundRow,
): Promise<void> {
  const { db, metrics } = deps;
  const attemptedAt = await recordProviderRefundAttempt(db, reported);
  reachStep('provider_refund.stored');
  const { order, result } = await db.transaction((tx) =>
    changeOrder(tx, reported.orderId, (locked) => store(tx, locked, reported)),
  );
  if (result.becameRefunded) metrics.orderTransition({ status: 'refunded', lagSeconds: null });
  const { orderId, providerRefundId, amount, currency, failure } = reported;
  const about = { orderId, providerRefundId, amount, currency, reason: failure };
  if (result.outcome === 'record' || result.outcome === 'fail') {
    deps.log.warn(about, `refund ${failure === null ? 'made' : 'failed'} at the payment provider`);
  }
  if (result.outcome === 'other_currency') {
    deps.log.warn(about, 'refund at the payment provider has another currency than its payment');
  }
  reachStep('provider_refund.written');
  await revokePaidBack(deps, order, reported);
  await markProcessed(db, reported, attemptedAt);
}

async function store(tx: Tx, order: OrderRow, reported: ProviderRefundRow) {
  const settlement = await readSettlement(tx, reported.settlementId);
  const refunds = await findRefundsOfOrder(tx, order.id);
  const decision = decideProviderRefund(order, settlement, refunds, reported);
  const { providerRefundId, failure } = reported;
  switch (decision.outcome) {
    case 'wait':
      throw unavailable(new Error('the order of a reported refund is not settled yet'));
    case 'unchanged':
    case 'other_currency':
      return { outcome: decision.outcome, becameRefunded: false };
    case 'complete':
      await writePaidAtProvider(tx, decision.refundId, { ...reported, providerRefundId });
      break;
    case 'record':
      for (const { refundId, amount, rest } of decision.covered) {
        if (rest > 0) await insertRest(tx, refundId, { amount: rest, failure: null });
        await writePaidAtProvider(tx, refundId, { amount, providerRefundId });
      }
      if (decision.amount > 0) await insertMade(tx, order, reported, decision.amount);
      await withdrawFailedOf(tx, decision.withdrawnIds);
      break;
    case 'fail':
      for (const { refundId, as } of decision.refunds) {
        const { amount = 0 } = refunds.find(({ id }) => id === refundId) ?? {};
        const isOwed = as === 'owed';
        if (isOwed) await insertRest(tx, refundId, { amount, failure: failure ?? 'failed' });
        await writeFailedLater(tx, refundId, { state: isOwed ? 'withdrawn' : 'failed', failure });
      }
      // One that was reported before this failure may have exceeded the payment until now.
      await reopenProviderRefunds(tx, settlement.id);
      return { outcome: decision.outcome, becameRefunded: false };
  }
  return { outcome: decision.outcome, becameRefunded: await endRefunded(tx, order) };
}

const insertRest = (
  tx: Tx,
  refundId: string,
  rest: { amount: number; failure: string | null },
): Promise<unknown> => insertRestOfRefund(tx, refundId, { id: randomId('rfd'), ...rest });

async function insertMade(
  tx: Tx,
  { id: orderId, businessUnitId, eventId }: OrderRow,
  { settlementId, providerRefundId }: ProviderRefundRow,
  amount: number,
): Promise<void> {
  const { currency } = await readSettlement(tx, settlementId);
  const id = randomId('rfd');
  await insertRefund(tx, {
    ...{ id, businessUnitId, eventId, orderId, settlementId, amount, currency, reason: null },
    ...{ state: 'due', cause: atProviderCause },
  });
  await writePaidAtProvider(tx, id, { amount, providerRefundId });
}

/** Revokes the seats whose price it pays back, and a refunded order. Safe to retry. */
async function revokePaidBack(
  deps: ApplyRefundDeps,
  order: OrderRow,
  { providerRefundId, ...of }: ProviderRefundRow,
): Promise<void> {
  const paidBack = (await findRefundsOfOrder(deps.db, order.id)).filter(
    (refund) => refund.state === 'done' && refund.providerRefundId === providerRefundId,
  );
  if (paidBack.some(({ cause }) => cause === attendeeRegistered)) {
    await revokeRefundedSeats(deps, of);
  }
  const revoked = paidBack.flatMap((refund) => (refund.revokesSeats ? refund.registrationIds : []));
  if (revoked.length > 0) await revokeChosenSeats(deps, of, revoked);
  if (order.status === 'refunded' && order.revokedAt === null)
    await revokeRefundedOrder(deps, order);
}
