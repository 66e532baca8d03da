import { batchSizes, type MetricDefinition } from './definition.ts';

/** Metrics of the registration service. */
export const registrationMetrics = {
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
} as const satisfies Record<string, MetricDefinition>;
