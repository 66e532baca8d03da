import { businessMetrics } from './business-metrics.ts';
import type { MetricDefinition } from './metric-definition.ts';

/**
 * Every metric of the system, and every attribute that a metric or a span may carry.
 *
 * A monitoring system stores one series per combination of metric attributes. Their values therefore come from
 * small fixed sets: never an id, email, name, key or badge code. Spans may carry a request id, but no personal
 * data and no credentials.
 */
export const metricDefinitions = {
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
  'process.memory.usage': {
    kind: 'gauge',
    unit: 'By',
    description: 'Resident memory of the process',
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
  ...businessMetrics,
  'gateway.rate_limit.denied': {
    kind: 'counter',
    unit: '{request}',
    description: 'Requests rejected because their key or address exceeded its limit',
    attributes: [],
  },
  'gateway.rate_limit.fallback': {
    kind: 'counter',
    unit: '{request}',
    description: 'Requests counted in the memory of one gateway because Redis was unavailable',
    attributes: [],
  },
  'gateway.key_cache.lookups': {
    kind: 'counter',
    unit: '{lookup}',
    description: 'Lookups of credentials; result is hit (cached) or miss (read from the database)',
    attributes: ['result'],
  },
  'gateway.connections.refused': {
    kind: 'counter',
    unit: '{connection}',
    description:
      'Connections rejected at a limit; reason is peer_limit (connections of one address) or total_limit',
    attributes: ['reason'],
  },
  'gateway.connections.closed': {
    kind: 'counter',
    unit: '{connection}',
    description:
      'Connections closed because their client did not read; reason is stalled (nothing taken for the stall timeout) or pending_bytes (too many response bytes waiting, this client had waited longest)',
    attributes: ['reason'],
  },
  'gateway.notifications.refused': {
    kind: 'counter',
    unit: '{notification}',
    description:
      'Rejected payment notifications; reason is signature (commerce responded 400), rate_limit (too many bad signatures from the address) or busy (too many verifications at once)',
    attributes: ['reason'],
  },
  'gateway.upstream.failures': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Requests without a valid response of a service; kind is unreachable, timeout, unauthenticated (401 to the gateway) or unusable',
    attributes: ['owner', 'kind'],
  },
} as const satisfies Record<string, MetricDefinition>;

/** The attributes of spans. */
export const spanAttributes = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'error.type',
  'url.scheme',
  'event_api.request_id',
  /** The template of the requested path, never the path. */
  'url.template',
  /** The process that receives the request. */
  'service.peer.name',
  'db.system.name',
  /** A statement's name, or its verb and table. Never its text: an ORM writes values into it. */
  'db.query.summary',
  'messaging.system',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.destination.name',
  'messaging.batch.message_count',
  /** The number of requests in the batch. */
  'event_api.batch.size',
] as const;

type Definitions = typeof metricDefinitions;
export type MetricName = keyof Definitions;
export type NameOf<Kind extends MetricDefinition['kind']> = {
  [Name in MetricName]: Definitions[Name]['kind'] extends Kind ? Name : never;
}[MetricName];

export type MetricAttributes<Name extends MetricName> = {
  [Attribute in Definitions[Name]['attributes'][number]]?: string | number;
};
export type SpanAttributes = { [Attribute in (typeof spanAttributes)[number]]?: string | number };
