import { reasonsOf } from '@event-api/platform/log';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { advanceCancel } from '../orders/cancel.ts';
import { endHold } from '../orders/end-hold.ts';
import { fulfilOrder } from '../orders/finish.ts';
import type { OrderRef } from '../orders/order-ref.ts';
import { findOrder, type OrderRow } from '../orders/queries.ts';
import { isCancelling, isFulfilling } from '../orders/rules.ts';
import { endPayment } from '../payments/end.ts';
import type { PaymentDeps } from '../payments/open.ts';
import { findPaymentsToEnd } from '../payments/queries.ts';
import { payRefund, type RefundDeps, revokeRefunded } from '../refunds/pay.ts';
import { findPending } from '../refunds/queries.ts';
import { type ApplyDeps, applySettlement } from '../settlements/apply.ts';
import { findReceived } from '../settlements/queries.ts';
import { findOver, findUnfinished, touchOrder } from './queries.ts';

export type RepeatDeps = ApplyDeps &
  PaymentDeps &
  RefundDeps & {
    /** How long before its hold ends an order's payment page is closed. */
    endBeforeMs: number;
    telemetry: Telemetry;
  };

export interface Repeated {
  repeated: number;
  failed: ({ id: string; step: string; error: string } & OrderRef)[];
}

/** One step to retry: of an order, a payment, a settlement or a refund. */
interface Step {
  id: string;
  order: OrderRef;
  run: () => Promise<void>;
}

/** At most so many of a kind in one turn; those that fail go to the end of the line. */
const atOnce = 100;

const unknownOrder: OrderRef = { businessUnitId: null, eventId: null, orderId: null };

/**
 * Retries every step that is unfinished and has been idle for `idleMs`: settlements that were not processed, orders
 * whose claim got no response, expired holds, sessions that have to end, pending refunds; of one unit or, with null, of
 * all. Any replica may retry any step at any time. Never fails; the result has the steps that did.
 */
export async function repeatSteps(
  deps: RepeatDeps,
  idleMs: number,
  businessUnitId: string | null = null,
): Promise<Repeated> {
  const { db, endBeforeMs } = deps;
  const result: Repeated = { repeated: 0, failed: [] };
  const each = async <Row>(
    step: string,
    rows: Promise<Row[]>,
    toStep: (row: Row) => Step,
  ): Promise<void> => {
    const found = await rows.catch((error: unknown) => {
      result.failed.push({ id: '', step, error: reasonsOf(error), ...unknownOrder });
      return [];
    });
    await inTurns(found.map(toStep), async ({ id, order, run }) => {
      result.repeated += 1;
      await deps.telemetry.trace(step, run).catch((error: unknown) => {
        result.failed.push({ id, step, error: reasonsOf(error), ...order });
      });
    });
  };
  const ofRow = <Row extends OrderRef & { id: string }>(
    run: (row: Row) => Promise<void>,
  ): ((row: Row) => Step) => {
    return (row) => ({ id: row.id, order: refOf(row), run: () => run(row) });
  };
  const ofOrder = (run: (order: OrderRow) => Promise<void>) => {
    return (ref: OrderRef & { orderId: string }): Step => {
      return { id: ref.orderId, order: ref, run: () => withOrder(deps, ref.orderId, run) };
    };
  };

  const received = findReceived(db, idleMs, atOnce, businessUnitId);
  await each(
    'settle',
    received,
    ofRow((row) => applySettlement(deps, row)),
  );
  const unfinished = findUnfinished(db, idleMs, atOnce, businessUnitId);
  await each(
    'finish',
    unfinished,
    ofOrder((order) => finish(deps, order)),
  );
  const toEnd = findPaymentsToEnd(db, { idleMs, endBeforeMs, limit: atOnce, businessUnitId });
  await each(
    'end session',
    toEnd,
    ofRow(async (row) => void (await endPayment(deps, row))),
  );
  const over = findOver(db, 0, atOnce, businessUnitId);
  await each(
    'expire',
    over,
    ofOrder((order) => endHold(deps, order)),
  );
  const pending = findPending(db, idleMs, atOnce, businessUnitId);
  await each(
    'refund',
    pending,
    ofRow((row) => payRefund(deps, row)),
  );
  return result;
}

const refOf = ({ businessUnitId, eventId, orderId }: OrderRef): OrderRef => ({
  businessUnitId,
  eventId,
  orderId,
});

async function finish(deps: RepeatDeps, order: OrderRow): Promise<void> {
  if (order.status === 'refunded') return revokeRefunded(deps, order);
  if (isFulfilling(order)) return fulfilOrder(deps, order);
  if (isCancelling(order)) return advanceCancel(deps, order.id);
}

async function withOrder(
  { db }: RepeatDeps,
  id: string,
  run: (order: OrderRow) => Promise<void>,
): Promise<void> {
  await touchOrder(db, id);
  const order = await findOrder(db, id);
  if (order) await run(order);
}

/** A few side by side: a step is mostly waiting for somebody else. */
async function inTurns<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
