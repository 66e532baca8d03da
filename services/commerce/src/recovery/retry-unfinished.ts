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
    /** How long before its hold ends an order's payment page is closed. */
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

/** At most so many of a kind in one turn; those that fail go to the end of the line. */
const maxPerKind = 100;

const unknownOrder: OrderRef = { businessUnitId: null, eventId: null, orderId: null };

/**
 * Retries every step that is unfinished and has been idle for `idleMs`: settlements that were not processed, orders
 * whose claim got no response, expired holds, sessions that have to end, pending refunds; of one unit or, with null, of
 * all. Any replica may retry any step at any time. Never fails; the result has the steps that did.
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

/** A few side by side: a step is mostly waiting for somebody else. */
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
