import type { Metrics } from '@event-api/platform/telemetry/metrics';

const closings = ['paid', 'cancelled', 'expired', 'refund_due', 'refunded'] as const;
const judgements = ['accepted', 'mismatch', 'surplus', 'late', 'unmatched', 'unusable'] as const;
const sessionEnds = ['ended', 'paid', 'no_response'] as const;
const notifications = ['received', 'ignored', 'forged', 'unreadable'] as const;

/** What has become of an order. */
export interface Closed {
  status: (typeof closings)[number];
  /** From the receipt of its money until now, for one that is paid with money. */
  lagSeconds: number | null;
}

/** What commerce counts of what it has written; told after the commit, since a transaction may run again. */
export interface Counts {
  closed(closed: Closed | null): void;
  judged(outcome: (typeof judgements)[number] | null): void;
  /** What the provider said when a cancellation or the end of a hold ended a payment session. */
  sessionEnded(outcome: (typeof sessionEnds)[number]): void;
  notified(outcome: (typeof notifications)[number]): void;
}

export function createCounts(metrics: Metrics): Counts {
  const countClosed = metrics.counter('commerce.orders.closed');
  const countJudged = metrics.counter('commerce.settlements.judged');
  const countSessionEnd = metrics.counter('commerce.payment.sessions.ended');
  const countNotification = metrics.counter('commerce.notifications');
  // There from the start: of a series that begins with its first event nobody sees that one as an increase.
  for (const status of closings) countClosed({ status }, 0);
  for (const outcome of judgements) countJudged({ outcome }, 0);
  for (const outcome of sessionEnds) countSessionEnd({ outcome }, 0);
  for (const outcome of notifications) countNotification({ outcome }, 0);
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
    sessionEnded: (outcome) => countSessionEnd({ outcome }),
    notified: (outcome) => countNotification({ outcome }),
  };
}
