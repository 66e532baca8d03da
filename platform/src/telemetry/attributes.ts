import type { MetricDefinition } from '@event-api/contracts/metrics/definition';
import type { metricDefinitions } from '@event-api/contracts/metrics/definitions';

/**
 * The attributes of spans. A span may carry a request id, but no personal data and no credentials.
 */
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
