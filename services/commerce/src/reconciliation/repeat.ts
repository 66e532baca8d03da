import { reasonOf } from '@event-api/platform/log';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { expireOrder, fulfilOrder, releaseOrder } from '../orders/finish.ts';
import { findOrder, type OrderRow } from '../orders/queries.ts';
import { isFulfilling } from '../orders/rules.ts';
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
  failed: { id: string; step: string; error: string }[];
}

/** At most so many of a kind in one turn; those that fail go to the end of the line. */
const atOnce = 100;

/**
 * Repeats every step that was left half-way and has been idle for `idleMs`: settlements that nothing has come of,
 * orders whose claim was not answered, holds that are over, sessions that have to end, refunds on their way.
 * Each step may be repeated at any time, by any replica. Never fails; answers what did.
 */
export async function repeatSteps(deps: RepeatDeps, idleMs: number): Promise<Repeated> {
  const { db } = deps;
  const result: Repeated = { repeated: 0, failed: [] };
  const each = async (
    step: string,
    found: Promise<{ id: string; run: () => Promise<void> }[]>,
  ): Promise<void> => {
    const all = await found.catch((error: unknown) => {
      result.failed.push({ id: '', step, error: reasonOf(error) });
      return [];
    });
    await inTurns(all, async ({ id, run }) => {
      result.repeated += 1;
      await deps.telemetry.trace(step, run).catch((error: unknown) => {
        result.failed.push({ id, step, error: causeOf(error) });
      });
    });
  };
  const orders = async (ids: Promise<string[]>, run: (order: OrderRow) => Promise<void>) =>
    (await ids).map((id) => ({ id, run: () => withOrder(deps, id, run) }));

  await each(
    'settle',
    findReceived(db, idleMs, atOnce).then((rows) =>
      rows.map((row) => ({ id: row.id, run: () => applySettlement(deps, row) })),
    ),
  );
  await each(
    'finish',
    orders(findUnfinished(db, idleMs, atOnce), (order) => finish(deps, order)),
  );
  const toEnd = { idleMs, endBeforeMs: deps.endBeforeMs, limit: atOnce };
  await each(
    'end session',
    findPaymentsToEnd(db, toEnd).then((rows) =>
      rows.map((row) => ({ id: row.id, run: () => endPayment(deps, row) })),
    ),
  );
  await each(
    'expire',
    orders(findOver(db, 0, atOnce), (order) => expireOrder(deps, order)),
  );
  await each(
    'refund',
    findPending(db, idleMs, atOnce).then((rows) =>
      rows.map((row) => ({ id: row.id, run: () => payRefund(deps, row) })),
    ),
  );
  return result;
}

async function finish(deps: RepeatDeps, order: OrderRow): Promise<void> {
  if (order.status === 'refunded') return revokeRefunded(deps, order);
  if (isFulfilling(order)) return fulfilOrder(deps, order);
  if (order.intent === 'cancel') return releaseOrder(deps, order);
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

const causeOf = (error: unknown): string => {
  const { cause } = error as { cause?: unknown };
  return reasonOf(cause ?? error);
};
