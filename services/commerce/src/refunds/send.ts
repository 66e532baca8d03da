import { revokeSeats } from '@event-api/contracts/internal/reservations';
import { randomId } from '@event-api/platform/core/ids';
import type { Logger } from '@event-api/platform/core/log';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database, Tx } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { remainsOf } from '../disputes/disputes.rules.ts';
import type { CommerceMetrics } from '../metrics.ts';
import { changeOrder } from '../orders/change-order.ts';
import { type OrderRow, reloadOrder } from '../orders/orders.queries.ts';
import { type AccountSettings, providerOf } from '../payments/accounts/provider-of.ts';
import type { PaymentProvider } from '../payments/providers/provider.ts';
import { readSettlement } from '../settlements/settlements.queries.ts';
import { endRefunded } from './end-refunded.ts';
import { decideRefusal } from './provider-refunds.rules.ts';
import {
  completeRefund,
  findRefundsOfOrder,
  insertRestOfRefund,
  type RefundRow,
  recordRefundAttempt,
} from './refunds.queries.ts';
import { revokeChosenSeats, revokeRefundedOrder } from './revoke.ts';
import { attendeeRegistered } from './withdrawal.rules.ts';

export interface RefundDeps {
  db: Database;
  log: Logger;
  provider: PaymentProvider;
  accounts: AccountSettings;
  registration: ServiceClient;
  metrics: CommerceMetrics;
}

/**
 * Sends a `pending` refund to the provider, stores the response, and revokes a fully refunded
 * order, unless its refunds kept registrations. Seats whose price it refunds are revoked first: the
 * order cannot get them from another order any more, and nobody has both the seat and the money.
 * Safe to retry: the provider gets the same idempotency key until it has refused the refund.
 * Errors: 503 if registration or the provider is unavailable, and the refund stays pending. Locks:
 * the order. Reports: `order.refunded` or `order.refund_changed`.
 */
export async function sendRefund(deps: RefundDeps, refund: RefundRow): Promise<void> {
  const { db, metrics } = deps;
  await recordRefundAttempt(db, refund.id);
  if (refund.cause === attendeeRegistered) await revokeRefundedSeats(deps, refund);
  if (refund.revokesSeats) await revokeChosenSeats(deps, refund, refund.registrationIds);
  const settlement = await readSettlement(db, refund.settlementId);
  const provider = await providerOf(deps, settlement.provider);
  const refunded = await provider.refund({
    refundId: refund.id,
    // Stripe repeats its first response to a key for a day, also a refusal.
    idempotencyKey: refund.refusals === 0 ? refund.id : `${refund.id}_${refund.refusals}`,
    paymentId: settlement.providerPaymentId,
    amount: refund.amount,
    currency: refund.currency,
    hasFee: settlement.feeAmount > 0,
  });
  reachStep('refund.responded');
  if (refunded.outcome === 'failed') {
    const about = { refundId: refund.id, orderId: refund.orderId, reason: refunded.reason };
    deps.log.warn(about, 'refund failed at the payment provider');
  }
  const store = async (tx: Tx, order: OrderRow): Promise<boolean> => {
    if (refunded.outcome === 'failed') {
      const settlement = await readSettlement(tx, refund.settlementId);
      const received = remainsOf(settlement, order.disputes);
      const refunds = await findRefundsOfOrder(tx, order.id);
      const { state, amount, rest } = decideRefusal(order, refund, received, refunds);
      const failure = refunded.reason;
      await completeRefund(tx, refund.id, { state, amount, providerRefundId: null, failure });
      if (rest > 0) {
        await insertRestOfRefund(tx, refund.id, { id: randomId('rfd'), amount: rest, failure });
      }
      return state === 'withdrawn' && endRefunded(tx, order);
    }
    const { providerRefundId } = refunded;
    await completeRefund(tx, refund.id, { state: 'done', providerRefundId, failure: null });
    return endRefunded(tx, order);
  };
  const { order, result: becameFullyRefunded } = await db.transaction((tx) =>
    changeOrder(tx, refund.orderId, (order) => store(tx, order)),
  );
  if (becameFullyRefunded) metrics.orderTransition({ status: 'refunded', lagSeconds: null });
  reachStep('refund.written');
  if (order.status === 'refunded' && order.revokedAt === null)
    await revokeRefundedOrder(deps, order);
}

/** Sends refunds of an order that were just stored as `pending`, unless another process has. */
export async function sendStarted(
  deps: RefundDeps,
  orderId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const refunds = await findRefundsOfOrder(deps.db, orderId);
  for (const refund of refunds) {
    if (ids.includes(refund.id) && refund.state === 'pending') await sendRefund(deps, refund);
  }
}

/** Gives up the right of an order to get the registrations that it did not create. */
export async function revokeRefundedSeats(
  { db, registration }: Pick<RefundDeps, 'db' | 'registration'>,
  { orderId, businessUnitId, eventId }: Pick<RefundRow, 'orderId' | 'businessUnitId' | 'eventId'>,
): Promise<void> {
  const { lines } = await reloadOrder(db, orderId);
  const registrationIds = lines.flatMap((line) => line.unfulfilledRegistrationIds);
  if (registrationIds.length === 0) return;
  await registration.call(revokeSeats, { businessUnitId, eventId, orderId, registrationIds });
  reachStep('refund.seats_revoked');
}
