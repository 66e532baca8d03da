import { countActive, emptyEvent } from '@event-api/contracts/internal/event-cancellation';
import { safeMessageWithCauses } from '@event-api/platform/core/error-reason';
import { reachStep } from '@event-api/platform/core/steps';
import { advanceCancel, type CancelDeps } from '../checkout/cancel.ts';
import { forEachConcurrently } from '../orders/for-each-concurrently.ts';
import { recordOrderAttempt } from '../orders/write.ts';
import type { RefundDeps } from '../refunds/send.ts';
import { sendDueRefund } from '../refunds/send-due.ts';
import { timeouts } from '../timeouts.ts';
import {
  type ClaimedCancellation,
  countOrdersLeft,
  findOpenOrderIds,
  findUndecidedOrderIds,
  releaseCancellation,
  writeCounts,
} from './cancellations.queries.ts';
import { decidePause, isFinished, type Remainder } from './cancellations.rules.ts';
import { refundOrderOfEvent } from './refund-order-of-event.ts';
import { countRefunds, findDueRefunds } from './refunds.queries.ts';

export type CancellationDeps = CancelDeps & RefundDeps;

/** The most registrations, orders and refunds of one event in an attempt, so that events take turns. */
const maxPerAttempt = 100;

/**
 * Continues the cancellation of an event by a bounded part of each step: registration closes the
 * event and cancels registrations, open orders end with their payment pages, paid orders are
 * refunded once registration has nothing left, and what is owed otherwise is sent. Each part is
 * safe to repeat, and a failed one does not stop the others: the problem is stored. After
 * `budgetMs` no other order or refund begins, so that a slow provider does not hold up the other
 * events. Errors: those of the own database, and the next attempt follows the lease.
 */
export async function continueCancellation(
  deps: CancellationDeps,
  cancellation: ClaimedCancellation,
  budgetMs = timeouts.cancellationBudgetMs,
): Promise<Remainder> {
  const { db, log } = deps;
  const endsAt = performance.now() + budgetMs;
  const problems: string[] = [];
  const attempt = async (step: string, work: () => Promise<void>) => {
    await work().catch((error: unknown) =>
      problems.push(`${step}: ${safeMessageWithCauses(error)}`),
    );
  };
  const before = await remainderOf(deps, cancellation, cancellation.registrationsLeft);
  let { registrations } = before;
  await attempt('registrations', async () => {
    registrations = await emptyRegistrations(deps, cancellation);
  });
  const each = <Item>(
    step: string,
    items: readonly Item[],
    work: (item: Item) => Promise<unknown>,
  ) =>
    forEachConcurrently(items, async (item) => {
      if (performance.now() < endsAt) await attempt(step, async () => void (await work(item)));
    });
  await attempt('open orders', async () => {
    const ids = await findOpenOrderIds(db, cancellation, maxPerAttempt);
    await each('open order', ids, async (id) => {
      await recordOrderAttempt(db, id);
      await advanceCancel(deps, id);
    });
    reachStep('cancellation.orders_ended');
  });
  await attempt('refunds', async () => {
    if (registrations !== 0) return;
    const ids = await findUndecidedOrderIds(db, cancellation, maxPerAttempt);
    await each('refund', ids, (id) => refundOrderOfEvent(deps, id, cancellation));
    if (cancellation.refund === 'none') return;
    const due = await findDueRefunds(db, cancellation, maxPerAttempt);
    await each('refund', due, (refund) => sendDueRefund(deps, refund));
  });
  const left = await remainderOf(deps, cancellation, registrations);
  const [problem = null] = problems;
  if (problem)
    log.warn(
      { eventId: cancellation.eventId, reason: problem },
      'failed to cancel an event, will retry',
    );
  const hasFailed = problem !== null;
  const pauseMs = decidePause({ before, left }, { hasFailed, ageMs: cancellation.ageMs }, pauses);
  await releaseCancellation(db, cancellation, { pauseMs, problem, isFinished: isFinished(left) });
  reachStep('cancellation.attempted');
  return left;
}

const pauses = { retryMs: timeouts.cancellationRetryMs, revisitMs: timeouts.cancellationRevisitMs };

/** Returns what registration has left. The event is closed from the first call on. */
async function emptyRegistrations(
  { db, registration }: CancellationDeps,
  { registrations, ...cancellation }: ClaimedCancellation,
): Promise<number> {
  const { businessUnitId, eventId } = cancellation;
  const scope = { businessUnitId, eventId };
  if (registrations === null) {
    const counts = Object.values(await registration.call(countActive, scope));
    const { open } = await countOrdersLeft(db, scope);
    const active = counts.reduce((sum, count) => sum + count, 0);
    await writeCounts(db, scope, { openOrders: open, registrations: active });
  }
  const { left } = await registration.call(emptyEvent, { ...scope, limit: maxPerAttempt });
  reachStep('cancellation.registrations_cancelled');
  await writeCounts(db, scope, { registrationsLeft: left });
  return left;
}

async function remainderOf(
  { db }: CancellationDeps,
  cancellation: ClaimedCancellation,
  registrations: number | null,
): Promise<Remainder> {
  const [orders, refunds] = await Promise.all([
    countOrdersLeft(db, cancellation),
    countRefunds(db, cancellation),
  ]);
  const due = cancellation.refund === 'none' ? 0 : refunds.due;
  const { open: openOrders, undecided: undecidedOrders } = orders;
  return { registrations, openOrders, undecidedOrders, refunds: refunds.pending + due };
}
