import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import type { SettlementRow } from './settlements/queries.ts';

/** What has become of an order. */
export interface Closed {
  status: Extract<OrderStatus, 'paid' | 'cancelled' | 'expired' | 'refund_due' | 'refunded'>;
  /** From the receipt of its money until now, for one that is paid with money. */
  lagSeconds: number | null;
}

/** What commerce counts of what it has written; told after the commit, since a transaction may run again. */
export interface Counts {
  closed(closed: Closed | null): void;
  judged(outcome: Exclude<SettlementRow['state'], 'received'> | null): void;
}

export function createCounts(metrics: Metrics): Counts {
  const countClosed = metrics.counter('commerce.orders.closed');
  const countJudged = metrics.counter('commerce.settlements.judged');
  const measureLag = metrics.histogram('commerce.settlement.lag');
  return {
    closed(closed) {
      if (!closed) return;
      countClosed({ status: closed.status });
      if (closed.lagSeconds !== null) measureLag(closed.lagSeconds, {});
    },
    judged(outcome) {
      if (outcome) countJudged({ outcome });
    },
  };
}
