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
const sessionExpiryOutcomes = ['expired', 'paid', 'no_response'] as const;
const notifications = [
  'received',
  'declined',
  'refund',
  'dispute',
  'account_changed',
  'ignored',
  'foreign',
  'invalid_signature',
  'unreadable',
] as const;

/** A change of the status of an order. */
export interface OrderTransition {
  status: (typeof countedStatuses)[number];
  /** Seconds from the receipt of the money to the payment of the order; null without money. */
  lagSeconds: number | null;
}

/** Business metrics of commerce. Call them after the commit: a transaction may run twice. */
export interface CommerceMetrics {
  orderTransition(transition: OrderTransition | null): void;
  settlementProcessed(outcome: (typeof settlementOutcomes)[number] | null): void;
  /** The result of expiring a payment session for a cancellation or an expired hold. */
  sessionExpired(outcome: (typeof sessionExpiryOutcomes)[number]): void;
  notificationProcessed(outcome: (typeof notifications)[number]): void;
}

export function createCommerceMetrics(metrics: Metrics): CommerceMetrics {
  const countTransition = metrics.counter('commerce.order.transitions');
  const countSettlement = metrics.counter('commerce.settlements.processed');
  const countSessionExpiry = metrics.counter('commerce.payment.sessions.expired');
  const countNotification = metrics.counter('commerce.notifications');
  // Create every series with 0. If a series starts with its first event, `increase()` misses it.
  for (const status of countedStatuses) countTransition({ status }, 0);
  for (const outcome of settlementOutcomes) countSettlement({ outcome }, 0);
  for (const outcome of sessionExpiryOutcomes) countSessionExpiry({ outcome }, 0);
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
    sessionExpired: (outcome) => countSessionExpiry({ outcome }),
    notificationProcessed: (outcome) => countNotification({ outcome }),
  };
}
