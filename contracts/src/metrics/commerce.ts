import type { MetricDefinition } from './definition.ts';

/** Metrics of the commerce service. */
export const commerceMetrics = {
  'commerce.placements': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Placed orders by outcome: placed, already_registered, or the reason of the rejection',
    attributes: ['outcome'],
  },
  'commerce.confirmations': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Confirmations of orders by outcome: the status of the order, or the reason of the rejection',
    attributes: ['outcome'],
  },
  'commerce.order.transitions': {
    kind: 'counter',
    unit: '{order}',
    description:
      'Orders by new status: paid, cancelled, expired, refund_due or refunded; an order can reach two of these',
    attributes: ['status'],
  },
  'commerce.settlements.processed': {
    kind: 'counter',
    unit: '{payment}',
    description: 'Settlements by outcome: accepted, late, mismatch, surplus, unmatched or unusable',
    attributes: ['outcome'],
  },
  'commerce.notifications': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Payment notifications, by outcome: received (a payment), declined (a card), refund, dispute, ignored, invalid_signature or unreadable',
    attributes: ['outcome'],
  },
  'commerce.payment.sessions.expired': {
    kind: 'counter',
    unit: '{session}',
    description:
      'Payment sessions to expire for a cancellation or an expired hold, by outcome: expired, paid or no_response',
    attributes: ['outcome'],
  },
  'commerce.settlement.lag': {
    kind: 'histogram',
    unit: 's',
    description: 'Time from the recording of a payment notification until the order was paid',
    attributes: [],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  },
  'commerce.settlements.pending': {
    kind: 'gauge',
    unit: '{payment}',
    description: 'Number of settlements without a final result, at most 1,000',
    attributes: [],
  },
  'commerce.settlements.pending.age': {
    kind: 'gauge',
    unit: 's',
    description: 'Age of the oldest settlement without a final result',
    attributes: [],
  },
  'commerce.refunds.due': {
    kind: 'gauge',
    unit: '{refund}',
    description: 'Number of due refunds that are not pending, at most 10,000',
    attributes: ['currency'],
  },
  'commerce.refunds.due.amount': {
    kind: 'gauge',
    unit: '1',
    description: 'Sum of the due refunds, in the minor unit of the currency',
    attributes: ['currency'],
  },
  'commerce.disputes.open': {
    kind: 'gauge',
    unit: '{dispute}',
    description:
      'Number of disputes that are not decided, by status: inquiry, needs_response or under_review; at most 10,000',
    attributes: ['status'],
  },
  'commerce.reconciliation.differences': {
    kind: 'gauge',
    unit: '{difference}',
    description:
      'Number of differences between the journal and the payment provider on the days of the last week',
    attributes: [],
  },
  'commerce.reconciliation.age': {
    kind: 'gauge',
    unit: 's',
    description:
      'Time since the end of the last day whose journal was compared with the payment provider',
    attributes: [],
  },
  'commerce.refunds.idle.age': {
    kind: 'gauge',
    unit: 's',
    description: 'Time since the last attempt on the due refund that has waited longest',
    attributes: [],
  },
} as const satisfies Record<string, MetricDefinition>;
