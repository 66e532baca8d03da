import { safeMessageWithCauses } from '@event-api/platform/core/error-reason';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { type ApplyDeps, applySettlement } from '../checkout/apply-settlement.ts';
import { advanceCancel } from '../checkout/cancel.ts';
import { expireHold } from '../checkout/expire-hold.ts';
import { expirePayment } from '../checkout/expire-payment.ts';
import { fulfilOrder } from '../checkout/fulfil.ts';
import type { PaymentDeps } from '../checkout/open-payment.ts';
import type { OrderRef } from '../orders/order-ref.ts';
import { findOrder, type OrderRow } from '../orders/queries.ts';
import { isCancelling, isFulfilling } from '../orders/rules.ts';
import { findPaymentsToExpire } from '../payments/queries.ts';
import { findPendingRefunds } from '../refunds/queries.ts';
import { type RefundDeps, revokeRefundedOrder, sendRefund } from '../refunds/send.ts';
import { findReceived } from '../settlements/queries.ts';
import { findExpiredHolds, findUnfinished, recordOrderAttempt } from './queries.ts';

export type RetryDeps = ApplyDeps &
  PaymentDeps &
  RefundDeps & {
    /** How long before the hold of an order expires its payment session is expired. */
    sessionExpiryLeadMs: number;
    telemetry: Telemetry;
  };

export interface RetryReport {
  retried: number;
  failed: ({ id: string; step: string; error: string } & OrderRef)[];
}

/** One step to retry: of an order, a payment, a settlement or a refund. */
interface Step {
  id: string;
  order: OrderRef;
  run: () => Promise<void>;
}

/** The most rows of each kind in one turn. Every attempt moves its row to the end of the queue. */
const maxPerKind = 100;

const unknownOrder: OrderRef = { businessUnitId: null, eventId: null, orderId: null };

/**
 * Retries every unfinished step that has been idle for `minIdleMs`: received settlements, orders
 * whose reservation got no response, expired holds, payment sessions to expire, pending refunds; of
 * one business unit, or of all with null. Any replica may retry any step at any time. Never throws:
 * the report contains the failed steps.
 */
export async function retryUnfinished(
  deps: RetryDeps,
  minIdleMs: number,
  businessUnitId: string | null = null,
): Promise<RetryReport> {
  const { db, sessionExpiryLeadMs } = deps;
  const report: RetryReport = { retried: 0, failed: [] };
  const retryAll = async <Row>(
    step: string,
    rows: Promise<Row[]>,
    toStep: (row: Row) => Step,
  ): Promise<void> => {
    const found = await rows.catch((error: unknown) => {
      report.failed.push({ id: '', step, error: safeMessageWithCauses(error), ...unknownOrder });
      return [];
    });
    await forEachConcurrently(found.map(toStep), async ({ id, order, run }) => {
      report.retried += 1;
      await deps.telemetry.trace(step, run).catch((error: unknown) => {
        report.failed.push({ id, step, error: safeMessageWithCauses(error), ...order });
      });
    });
  };
  const rowStep = <Row extends OrderRef & { id: string }>(
    run: (row: Row) => Promise<void>,
  ): ((row: Row) => Step) => {
    return (row) => ({ id: row.id, order: refOf(row), run: () => run(row) });
  };
  const orderStep = (run: (order: OrderRow) => Promise<void>) => {
    return (ref: OrderRef & { orderId: string }): Step => {
      return { id: ref.orderId, order: ref, run: () => withOrder(deps, ref.orderId, run) };
    };
  };

  const received = findReceived(db, minIdleMs, maxPerKind, businessUnitId);
  await retryAll(
    'settle',
    received,
    rowStep((row) => applySettlement(deps, row)),
  );
  const unfinished = findUnfinished(db, minIdleMs, maxPerKind, businessUnitId);
  await retryAll(
    'finish',
    unfinished,
    orderStep((order) => advanceOrder(deps, order)),
  );
  const toExpire = findPaymentsToExpire(db, {
    minIdleMs,
    sessionExpiryLeadMs,
    limit: maxPerKind,
    businessUnitId,
  });
  await retryAll(
    'end session',
    toExpire,
    rowStep(async (row) => void (await expirePayment(deps, row))),
  );
  const expiredHolds = findExpiredHolds(db, 0, maxPerKind, businessUnitId);
  await retryAll(
    'expire',
    expiredHolds,
    orderStep((order) => expireHold(deps, order)),
  );
  const pending = findPendingRefunds(db, minIdleMs, maxPerKind, businessUnitId);
  await retryAll(
    'refund',
    pending,
    rowStep((row) => sendRefund(deps, row)),
  );
  return report;
}

const refOf = ({ businessUnitId, eventId, orderId }: OrderRef): OrderRef => ({
  businessUnitId,
  eventId,
  orderId,
});

async function advanceOrder(deps: RetryDeps, order: OrderRow): Promise<void> {
  if (order.status === 'refunded') return revokeRefundedOrder(deps, order);
  if (isFulfilling(order)) return fulfilOrder(deps, order);
  if (isCancelling(order)) return advanceCancel(deps, order.id);
}

async function withOrder(
  { db }: RetryDeps,
  id: string,
  run: (order: OrderRow) => Promise<void>,
): Promise<void> {
  await recordOrderAttempt(db, id);
  const order = await findOrder(db, id);
  if (order) await run(order);
}

/** Runs eight at a time: a step mostly waits for another service. */
async function forEachConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
