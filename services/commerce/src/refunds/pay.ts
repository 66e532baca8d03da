import { revokeOrder } from '@event-api/contracts/internal/seats';
import type { Database } from '@event-api/platform/db/database';
import type { Faults } from '@event-api/platform/faults';
import type { ServiceClient } from '@event-api/platform/http/call-service';
import type { Logger } from '@event-api/platform/log';
import type { Counts } from '../counts.ts';
import { tokenToKeep } from '../orders/finish.ts';
import {
  findOrder,
  lockOrder,
  type OrderRow,
  writeRevoked,
  writeStatus,
} from '../orders/queries.ts';
import type { PaymentProvider } from '../payments/providers/provider.ts';
import { readSettlement } from '../settlements/queries.ts';
import { endRefund, type RefundRow, refundsOfOrder, touchRefund } from './queries.ts';
import { isRefundedWhole } from './rules.ts';

export interface RefundDeps {
  db: Database;
  log: Logger;
  provider: PaymentProvider;
  registration: ServiceClient;
  faults: Faults;
  counts: Counts;
}

/**
 * Has the provider give money back that is `pending`, writes what it answered, and takes back what a fully
 * refunded order has made. Repeating it is safe: the provider knows a refund by its id.
 * Errors: 503 when the provider is away: the refund stays pending. Locks: the order.
 */
export async function payRefund(deps: RefundDeps, refund: RefundRow): Promise<void> {
  const { db, provider, faults, counts } = deps;
  await touchRefund(db, refund.id);
  const { providerPaymentId } = await readSettlement(db, refund.settlementId);
  const answer = await provider.refund({
    refundId: refund.id,
    paymentId: providerPaymentId,
    amount: refund.amount,
    currency: refund.currency,
  });
  await faults.reach('refund.answered');
  if (answer.outcome === 'failed') {
    const about = { refundId: refund.id, orderId: refund.orderId, reason: answer.reason };
    deps.log.warn(about, 'refund failed at the payment provider');
  }
  const isWhole = await db.transaction(async (tx) => {
    const order = await lockOrder(tx, refund.orderId);
    if (answer.outcome === 'failed') {
      // What is owed stays owed; what an operator decided has just not come about.
      const state = refund.cause === 'operator' ? 'failed' : 'due';
      await endRefund(tx, refund.id, { state, providerRefundId: null, failure: answer.reason });
      return false;
    }
    const { providerRefundId } = answer;
    await endRefund(tx, refund.id, { state: 'done', providerRefundId, failure: null });
    const paid = order.settlementId ? (await readSettlement(tx, order.settlementId)).amount : 0;
    const refunds = await refundsOfOrder(tx, order.id);
    if (!isRefundedWhole(order, paid, refunds)) return false;
    await writeStatus(tx, order.id, 'refunded');
    return order.status !== 'refunded';
  });
  if (isWhole) counts.closed({ status: 'refunded', lagSeconds: null });
  await faults.reach('refund.written');
  const order = await findOrder(db, refund.orderId);
  if (order?.status === 'refunded' && order.revokedAt === null) await revokeRefunded(deps, order);
}

/** Takes back what a fully refunded order has made, and only that. Errors: 503 when registration is away. */
export async function revokeRefunded(
  { db, registration }: Pick<RefundDeps, 'db' | 'registration'>,
  { id: orderId, businessUnitId, eventId }: OrderRow,
): Promise<void> {
  await registration.call(revokeOrder, { businessUnitId, eventId, orderId });
  await db.transaction((tx) => writeRevoked(tx, orderId, tokenToKeep()));
}
