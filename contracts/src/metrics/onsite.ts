import { batchSizes, type MetricDefinition } from './definition.ts';

/** Metrics of the onsite service. */
export const onsiteMetrics = {
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
  'onsite.scan_batches.queued': {
    kind: 'gauge',
    unit: '{request}',
    description: 'Number of batches of scans in the queue',
    attributes: [],
  },
} as const satisfies Record<string, MetricDefinition>;
