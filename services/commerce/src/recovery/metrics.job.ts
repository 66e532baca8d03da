import type { Logger } from '@event-api/platform/core/log';
import type { Db } from '@event-api/platform/db/database';
import { pollGauges } from '@event-api/platform/telemetry/gauge-poller';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { openStatuses, readOpenDisputes } from '../disputes/disputes.queries.ts';
import { readReconciliationStats } from '../reconciliation/reconciliation.queries.ts';
import { type RefundsDue, readRefundsDue } from '../refunds/refunds.queries.ts';
import { readPendingStats } from '../settlements/settlements.queries.ts';

/**
 * Polls settlements, refunds and disputes that are not finished, and what the reconciliation has
 * found, and publishes them as gauges.
 */
export function observeMoney(options: {
  db: Db;
  /** The account of the platform, as payments name it. */
  provider: string;
  metrics: Metrics;
  log: Pick<Logger, 'warn'>;
  intervalMs: number;
}): { stop(): Promise<void> } {
  const { db, provider, metrics } = options;
  const poller = pollGauges(
    async () => ({
      due: await readRefundsDue(db),
      pending: await readPendingStats(db),
      disputes: await readOpenDisputes(db),
      reconciliation: await readReconciliationStats(db, provider),
    }),
    options,
  );
  const { gauge, stop } = poller;
  const dueGauge = (pick: (due: RefundsDue) => number) => () =>
    (poller.latest?.due ?? []).map((due) => [pick(due), { currency: due.currency }] as const);
  metrics.observe(
    'commerce.refunds.due',
    dueGauge(({ count }) => count),
  );
  metrics.observe(
    'commerce.refunds.due.amount',
    dueGauge(({ amount }) => amount),
  );
  metrics.observe(
    'commerce.refunds.idle.age',
    gauge(({ due }) => Math.max(0, ...due.map(({ idleSeconds }) => idleSeconds))),
  );
  metrics.observe(
    'commerce.settlements.pending',
    gauge(({ pending }) => pending.count),
  );
  metrics.observe(
    'commerce.settlements.pending.age',
    gauge(({ pending }) => pending.oldestSeconds),
  );
  metrics.observe('commerce.disputes.open', () => {
    const counts = new Map(poller.latest?.disputes.map(({ status, count }) => [status, count]));
    return openStatuses.map((status) => [counts.get(status) ?? 0, { status }] as const);
  });
  metrics.observe(
    'commerce.reconciliation.differences',
    gauge(({ reconciliation }) => reconciliation.differences),
  );
  metrics.observe(
    'commerce.reconciliation.age',
    gauge(({ reconciliation }) => reconciliation.ageSeconds),
  );
  return { stop };
}
