import type { Metrics } from './metrics.ts';
import type { TraceContext } from './trace-context.ts';

export interface RequestMetrics {
  begin(method: string): void;
  end(request: CompletedRequest): void;
}

export interface CompletedRequest {
  method: string;
  /** The template of its path, never the path. */
  route: string;
  /** Undefined when the client disconnected before the response. */
  status: number | undefined;
  durationMs: number;
  /** Null if its trace is not exported. */
  trace: TraceContext | null;
}

/** The two server metrics of OpenTelemetry's HTTP conventions. */
export function createRequestMetrics(metrics: Metrics): RequestMetrics {
  const recordDuration = metrics.histogram('http.server.request.duration');
  const active = new Map<string, number>();
  const changeActive = (method: string, by: number) =>
    active.set(method, (active.get(method) ?? 0) + by);
  metrics.observe('http.server.active_requests', () =>
    [...active].map(([method, count]) => [count, { 'http.request.method': method }] as const),
  );
  return {
    begin: (method) => void changeActive(method, 1),
    end({ method, route, status, durationMs, trace }) {
      changeActive(method, -1);
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        ...statusAttributes(status),
      };
      recordDuration(durationMs / 1000, attributes, trace);
    },
  };
}

/** The status, and the error type if the server caused it. */
export function statusAttributes(status: number | undefined) {
  if (status === undefined) return { 'error.type': 'client_gone' } as const;
  if (status < 500) return { 'http.response.status_code': status };
  return { 'http.response.status_code': status, 'error.type': String(status) };
}
