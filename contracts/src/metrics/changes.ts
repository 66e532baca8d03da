import type { MetricDefinition } from './definition.ts';

/** Metrics of the changes service. */
export const changesMetrics = {
  'changes.feed.lag': {
    kind: 'histogram',
    unit: 's',
    description: 'Time from a change until the feed contains it',
    attributes: [],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
  },
  'changes.feed.read.age': {
    kind: 'gauge',
    unit: 's',
    description: 'Time since this process last read all changes of a service',
    attributes: ['owner'],
  },
  'changes.webhooks.deliveries': {
    kind: 'counter',
    unit: '{attempt}',
    description:
      'Attempts of deliveries to webhook endpoints; result is delivered, retrying or failed (given up)',
    attributes: ['result'],
  },
  'changes.webhooks.delivery.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Time from the start of a delivery until its response, or until it has failed',
    attributes: ['result'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  },
  'changes.webhooks.in_flight': {
    kind: 'gauge',
    unit: '{request}',
    description: 'Requests to webhook endpoints that this process waits for; at most 256',
    attributes: [],
  },
  'changes.webhooks.in_flight.age': {
    kind: 'gauge',
    unit: 's',
    description: 'How long the oldest of these requests has been in flight; at most 20 seconds',
    attributes: [],
  },
  'changes.webhooks.expired': {
    kind: 'counter',
    unit: '{change}',
    description: 'Changes that were deleted from the feed before their delivery',
    attributes: [],
  },
  'changes.webhooks.endpoints': {
    kind: 'gauge',
    unit: '{endpoint}',
    description:
      'Number of webhook endpoints; status is pending, enabled, backing_off (enabled, but failing) or disabled',
    attributes: ['status'],
  },
  'changes.webhooks.undelivered.age': {
    kind: 'gauge',
    unit: 's',
    description:
      'Age of the oldest change that an enabled endpoint has not acknowledged; status is enabled (no attempt was made yet) or backing_off',
    attributes: ['status'],
  },
  'changes.webhooks.lanes': {
    kind: 'gauge',
    unit: '{object}',
    description: 'Number of objects whose delivery has failed and is retried',
    attributes: [],
  },
} as const satisfies Record<string, MetricDefinition>;
