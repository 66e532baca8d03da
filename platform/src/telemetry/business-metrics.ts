import type { MetricDefinition } from './metric-definition.ts';

const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** The business metrics of the services; see `attributes.ts` on labels. */
export const businessMetrics = {
  'registration.registrations': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Register requests by outcome: the status of a new registration, already_registered, or the reason of the rejection',
    attributes: ['outcome'],
  },
  'registration.seats.reserved': {
    kind: 'gauge',
    unit: '{seat}',
    description: 'Number of seats reserved for orders; the same in each process of the service',
    attributes: [],
  },
  'registration.reservations.overdue.age': {
    kind: 'gauge',
    unit: 's',
    description: 'Time since the oldest active reservation should have expired',
    attributes: [],
  },
  'registration.reservations.limited': {
    kind: 'counter',
    unit: '{request}',
    description: 'Orders rejected by a limit per email, by limit: holds or seats',
    attributes: ['limit'],
  },
  'registration.admission.batch.size': {
    kind: 'histogram',
    unit: '{request}',
    description: 'Number of requests of one event per batch',
    attributes: [],
    buckets: batchSizes,
  },
  'registration.admission.queued': {
    kind: 'gauge',
    unit: '{request}',
    description: 'Number of requests in the admission queue',
    attributes: [],
  },
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
      'Payment notifications, by outcome: received, ignored (no payment), invalid_signature or unreadable',
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
  'commerce.refunds.idle.age': {
    kind: 'gauge',
    unit: 's',
    description: 'Time since the last attempt on the due refund that has waited longest',
    attributes: [],
  },
  'onsite.checkins': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Check-ins by outcome: first, repeat, or the reason of the rejection; subject_type is event, session or venue',
    attributes: ['outcome', 'subject_type'],
  },
  'onsite.checkins.without_registration': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Check-ins decided by projections alone, because registration did not respond to a door in time',
    attributes: [],
  },
  'onsite.checkins.batch.size': {
    kind: 'histogram',
    unit: '{request}',
    description: 'Number of check-ins per batch',
    attributes: [],
    buckets: batchSizes,
  },
  'onsite.checkins.queued': {
    kind: 'gauge',
    unit: '{request}',
    description: 'Number of check-ins in the queue',
    attributes: [],
  },
} as const satisfies Record<string, MetricDefinition>;
