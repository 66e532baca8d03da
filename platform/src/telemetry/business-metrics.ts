import type { MetricDefinition } from './metric-definition.ts';

const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** The business metrics of the services; see `attributes.ts` on labels. */
export const businessMetrics = {
  'registration.registrations': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Registering, by outcome: the status of a new registration, already_registered, or why it was refused',
    attributes: ['outcome'],
  },
  'registration.seats.reserved': {
    kind: 'gauge',
    unit: '{seat}',
    description: 'Seats that are set aside for orders; the same in each process of the service',
    attributes: [],
  },
  'registration.reservations.overdue.age': {
    kind: 'gauge',
    unit: 's',
    description: 'How long ago the oldest hold that has not ended yet should have',
    attributes: [],
  },
  'registration.reservations.limited': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Orders refused because one email already has as much as the event allows, by limit: holds or seats',
    attributes: ['limit'],
  },
  'registration.admission.batch.size': {
    kind: 'histogram',
    unit: '{request}',
    description: 'Requests of one event that were decided together',
    attributes: [],
    buckets: batchSizes,
  },
  'registration.admission.queued': {
    kind: 'gauge',
    unit: '{request}',
    description: 'Requests that wait for their event to be decided on',
    attributes: [],
  },
  'commerce.placements': {
    kind: 'counter',
    unit: '{request}',
    description: 'Placing orders, by outcome: placed, already_registered, or why it was refused',
    attributes: ['outcome'],
  },
  'commerce.confirmations': {
    kind: 'counter',
    unit: '{request}',
    description: 'Confirming orders, by outcome: the status of the order, or why it was refused',
    attributes: ['outcome'],
  },
  'commerce.order.transitions': {
    kind: 'counter',
    unit: '{order}',
    description:
      'Orders by what became of them: paid, cancelled, expired, refund_due or refunded; some become two of these',
    attributes: ['status'],
  },
  'commerce.settlements.processed': {
    kind: 'counter',
    unit: '{payment}',
    description:
      'Payments received by the provider, by outcome: accepted, late, mismatch, surplus, unmatched or unusable',
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
    description: 'From the keeping of a notification of payment until the order was paid',
    attributes: [],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  },
  'commerce.settlements.pending': {
    kind: 'gauge',
    unit: '{payment}',
    description: 'Payments received that nothing has come of yet; up to 1,000 are counted',
    attributes: [],
  },
  'commerce.settlements.pending.age': {
    kind: 'gauge',
    unit: 's',
    description: 'How long the oldest of them has waited',
    attributes: [],
  },
  'commerce.refunds.due': {
    kind: 'gauge',
    unit: '{refund}',
    description: 'Refunds that are owed and not under way; up to 10,000 are counted',
    attributes: ['currency'],
  },
  'commerce.refunds.due.amount': {
    kind: 'gauge',
    unit: '1',
    description: 'What they come to, in the minor unit of the currency',
    attributes: ['currency'],
  },
  'commerce.refunds.idle.age': {
    kind: 'gauge',
    unit: 's',
    description: 'How long nobody has done anything about the one that was left alone for longest',
    attributes: [],
  },
  'onsite.checkins': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Check-ins by outcome and kind of door: first, repeat, or why it was refused; subject_type is event, session or venue',
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
    description: 'Check-ins that were written together',
    attributes: [],
    buckets: batchSizes,
  },
  'onsite.checkins.queued': {
    kind: 'gauge',
    unit: '{request}',
    description: 'Check-ins that wait to be written',
    attributes: [],
  },
} as const satisfies Record<string, MetricDefinition>;
