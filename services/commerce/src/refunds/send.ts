import { revokeOrder } from '@event-api/contracts/internal/reservations';
import type { Faults } from '@event-api/platform/core/faults';
import type { Logger } from '@event-api/platform/core/log';
import type { Database } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { serializeCurrentToken } from '@event-api/platform/messaging/read-after/scope';
import type { CommerceMetrics } from '../metrics.ts';
import {
  findOrder,
  lockOrder,
  markRevoked,
  type OrderRow,
  writeStatus,
} from '../orders/queries.ts';
import type { PaymentProvider } from '../payments/providers/provider.ts';
import { readSettlement } from '../settlements/queries.ts';
import {
  completeRefund,
  findRefundsOfOrder,
  type RefundRow,
  recordRefundAttempt,
} from './queries.ts';
import { isFullyRefunded } from './rules.ts';

export interface RefundDeps {
  db: Database;
  log: Logger;
  provider: PaymentProvider;
  registration: ServiceClient;
  faults: Faults;
  metrics: CommerceMetrics;
}

/**
 * Sends a `pending` refund to the provider, stores the response, and revokes a fully refunded
 * order. Safe to retry: the provider identifies a refund by its id.
 * Errors: 503 if the provider is unavailable, and the refund stays pending. Locks: the order.
 */
export async function sendRefund(deps: RefundDeps, refund: RefundRow): Promise<void> {
  const { db, provider, faults, metrics } = deps;
  await recordRefundAttempt(db, refund.id);
  const { providerPaymentId } = await readSettlement(db, refund.settlementId);
  const result = await provider.refund({
    refundId: refund.id,
    paymentId: providerPaymentId,
    amount: refund.amount,
    currency: refund.currency,
  });
  await faults.hit('refund.responded');
  if (result.outcome === 'failed') {
    const about = { refundId: refund.id, orderId: refund.orderId, reason: result.reason };
    deps.log.warn(about, 'refund failed at the payment provider');
  }
  const becameFullyRefunded = await db.transaction(async (tx) => {
    const order = await lockOrder(tx, refund.orderId);
    if (result.outcome === 'failed') {
      // A due refund stays due. A refund that an operator requested has failed.
      const state = refund.cause === 'operator' ? 'failed' : 'due';
      await completeRefund(tx, refund.id, {
        state,
        providerRefundId: null,
        failure: result.reason,
      });
      return false;
    }
    const { providerRefundId } = result;
    await completeRefund(tx, refund.id, { state: 'done', providerRefundId, failure: null });
    const paid = order.settlementId ? (await readSettlement(tx, order.settlementId)).amount : 0;
    const refunds = await findRefundsOfOrder(tx, order.id);
    if (!isFullyRefunded(order, paid, refunds)) return false;
    await writeStatus(tx, order.id, 'refunded');
    return order.status !== 'refunded';
  });
  if (becameFullyRefunded) metrics.orderTransition({ status: 'refunded', lagSeconds: null });
  await faults.hit('refund.written');
  const order = await findOrder(db, refund.orderId);
  if (order?.status === 'refunded' && order.revokedAt === null)
    await revokeRefundedOrder(deps, order);
}

/**
 * Revokes the registrations that a fully refunded order created. Errors: 503 if registration is
 * unavailable.
 */
export async function revokeRefundedOrder(
  { db, registration }: Pick<RefundDeps, 'db' | 'registration'>,
  { id: orderId, businessUnitId, eventId }: OrderRow,
): Promise<void> {
  await registration.call(revokeOrder, { businessUnitId, eventId, orderId });
  await db.transaction((tx) => markRevoked(tx, orderId, serializeCurrentToken()));
}
