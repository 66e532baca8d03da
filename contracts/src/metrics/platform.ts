import type { MetricDefinition } from './definition.ts';

/** Metrics that every process or service has. */
export const platformMetrics = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    description:
      'Time from the arrival of a request until its response was sent or its client disconnected',
    attributes: ['http.request.method', 'http.route', 'http.response.status_code', 'error.type'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  'http.server.active_requests': {
    kind: 'gauge',
    unit: '{request}',
    description: 'Number of requests in progress',
    attributes: ['http.request.method'],
  },
  'dependency.up': {
    kind: 'gauge',
    unit: '1',
    description: 'Whether the process can use a server: 1 if the last attempt succeeded, else 0',
    attributes: ['dependency'],
  },
  'db.client.connection.count': {
    kind: 'gauge',
    unit: '{connection}',
    description: 'Number of open database connections; state is idle or used',
    attributes: ['db.client.connection.state'],
  },
  'db.client.connection.pending_requests': {
    kind: 'gauge',
    unit: '{request}',
    description: 'Number of requests that wait for a database connection',
    attributes: [],
  },
  'nodejs.eventloop.delay.p50': {
    kind: 'gauge',
    unit: 's',
    description: 'Median delay of the event loop since the last scrape',
    attributes: [],
  },
  'nodejs.eventloop.delay.p99': {
    kind: 'gauge',
    unit: 's',
    description: '99th percentile of the event loop delay since the last scrape',
    attributes: [],
  },
  'nodejs.eventloop.utilization': {
    kind: 'gauge',
    unit: '1',
    description: 'Share of time that the event loop was busy since the last scrape',
    attributes: [],
  },
  'process.cpu.time': {
    kind: 'observed counter',
    unit: 's',
    description: 'CPU time of all threads of the process',
    attributes: [],
  },
  'process.start_time': {
    kind: 'gauge',
    unit: 's',
    description: 'Unix time of the start of the process',
    attributes: [],
  },
  'process.memory.usage': {
    kind: 'gauge',
    unit: 'By',
    description: 'Resident memory of the process',
    attributes: [],
  },
  'process.memory.peak': {
    kind: 'gauge',
    unit: 'By',
    description: 'Largest resident memory of the process since its start',
    attributes: [],
  },
  'v8js.memory.heap.used': {
    kind: 'gauge',
    unit: 'By',
    description: 'Used part of the JavaScript heap',
    attributes: [],
  },
  'telemetry.spans.dropped': {
    kind: 'counter',
    unit: '{span}',
    description: 'Sampled spans that the collector did not accept',
    attributes: [],
  },
  'idempotency.cleanup.failures': {
    kind: 'counter',
    unit: '{failure}',
    description: 'Failed attempts to delete expired idempotency keys',
    attributes: [],
  },
  'audit.refusals.lost': {
    kind: 'counter',
    unit: '{entry}',
    description: 'Refused commands of operators whose audit entry could not be written',
    attributes: [],
  },
  'outbox.unpublished': {
    kind: 'gauge',
    unit: '{message}',
    description: 'Number of messages that the bus has not acknowledged',
    attributes: [],
  },
  'outbox.oldest_unpublished.age': {
    kind: 'gauge',
    unit: 's',
    description: 'Age of the oldest message that the bus has not acknowledged',
    attributes: [],
  },
  'outbox.rejected': {
    kind: 'gauge',
    unit: '{message}',
    description: 'Number of messages that the bus rejects permanently; an operator must act',
    attributes: [],
  },
  'outbox.rewinds': {
    kind: 'counter',
    unit: '{rewind}',
    description:
      'Number of times that this process found its database put back to an earlier state',
    attributes: [],
  },
  'stream.shared': {
    kind: 'counter',
    unit: '{detection}',
    description:
      'Number of times that this process found messages of another database in the stream',
    attributes: [],
  },
  'projection.lag': {
    kind: 'gauge',
    unit: '{message}',
    description: 'Number of messages in the stream that the projections have not applied',
    attributes: [],
  },
  'projection.dead_letters': {
    kind: 'gauge',
    unit: '{record}',
    description: 'Number of snapshots that could not be applied; an operator must act',
    attributes: [],
  },
} as const satisfies Record<string, MetricDefinition>;
