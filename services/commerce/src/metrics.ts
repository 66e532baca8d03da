import type { Metrics } from '@event-api/platform/telemetry/metrics';

const countedStatuses = ['paid', 'cancelled', 'expired', 'refund_due', 'refunded'] as const;
const settlementOutcomes = [
  'accepted',
  'mismatch',
  'surplus',
  'late',
  'unmatched',
  'unusable',
] as const;
const sessionEnds = ['ended', 'paid', 'no_response'] as const;
const notifications = ['received', 'ignored', 'forged', 'unreadable'] as const;

/** What has become of an order. */
export interface OrderTransition {
  status: (typeof countedStatuses)[number];
  /** From the receipt of its money until now, for one that is paid with money. */
  lagSeconds: number | null;
}

/** What commerce counts of what it has written; told after the commit, since a transaction may run again. */
export interface CommerceMetrics {
  orderTransition(transition: OrderTransition | null): void;
  settlementProcessed(outcome: (typeof settlementOutcomes)[number] | null): void;
  /** What the provider said when a cancellation or the end of a hold ended a payment session. */
  sessionEnded(outcome: (typeof sessionEnds)[number]): void;
  notificationProcessed(outcome: (typeof notifications)[number]): void;
}

export function createCommerceMetrics(metrics: Metrics): CommerceMetrics {
  const countTransition = metrics.counter('commerce.orders.closed');
  const countSettlement = metrics.counter('commerce.settlements.judged');
  const countSessionEnd = metrics.counter('commerce.payment.sessions.ended');
  const countNotification = metrics.counter('commerce.notifications');
  // There from the start: of a series that begins with its first event nobody sees that one as an increase.
  for (const status of countedStatuses) countTransition({ status }, 0);
  for (const outcome of settlementOutcomes) countSettlement({ outcome }, 0);
  for (const outcome of sessionEnds) countSessionEnd({ outcome }, 0);
  for (const outcome of notifications) countNotification({ outcome }, 0);
  const recordLag = metrics.histogram('commerce.settlement.lag');
  return {
    orderTransition(transition) {
      if (!transition) return;
      countTransition({ status: transition.status });
      if (transition.lagSeconds !== null) recordLag(transition.lagSeconds, {});
    },
    settlementProcessed(outcome) {
      if (outcome) countSettlement({ outcome });
    },
    sessionEnded: (outcome) => countSessionEnd({ outcome }),
    notificationProcessed: (outcome) => countNotification({ outcome }),
  };
}
