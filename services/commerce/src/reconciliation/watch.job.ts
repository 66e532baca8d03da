import type { Db } from '@event-api/platform/db/database';
import { keepLooking } from '@event-api/platform/telemetry/keep-looking';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { type RefundsDue, readRefundsDue } from '../refunds/queries.ts';
import { readWaiting } from '../settlements/queries.ts';

/** Looks every few seconds which money waits for something to be done about it, and tells it as metrics. */
export function watchMoney(options: { db: Db; metrics: Metrics; everyMs: number }): {
  stop(): Promise<void>;
} {
  const { db, metrics, everyMs } = options;
  const looking = keepLooking(
    async () => ({ due: await readRefundsDue(db), waiting: await readWaiting(db) }),
    everyMs,
  );
  const { tell, stop } = looking;
  const tellDue = (pick: (due: RefundsDue) => number) => () =>
    (looking.seen?.due ?? []).map((due) => [pick(due), { currency: due.currency }] as const);
  metrics.observe(
    'commerce.refunds.due',
    tellDue(({ count }) => count),
  );
  metrics.observe(
    'commerce.refunds.due.amount',
    tellDue(({ amount }) => amount),
  );
  metrics.observe(
    'commerce.refunds.untouched.age',
    tell(({ due }) => Math.max(0, ...due.map(({ untouchedSeconds }) => untouchedSeconds))),
  );
  metrics.observe(
    'commerce.settlements.waiting',
    tell(({ waiting }) => waiting.count),
  );
  metrics.observe(
    'commerce.settlements.waiting.age',
    tell(({ waiting }) => waiting.oldestSeconds),
  );
  return { stop };
}
