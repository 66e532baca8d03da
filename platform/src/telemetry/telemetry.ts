import type { Logger } from '../core/log.ts';
import { HeldSpans } from './held-spans.ts';
import { createKeepLimit } from './kept-traces.rules.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { observeProcess } from './process-metrics.ts';
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts';
import type { SpanRecorder } from './spans.ts';
import { continueTrace } from './trace-context.ts';
import { endTrace, runInTrace, type TraceScope } from './trace-scope.ts';

/**
 * The most traces that this process exports in a second although they are not sampled. In an outage
 * all requests fail, and their spans must not add to the load.
 */
const keptTracesPerSecond = 50;

/** The metrics and traces of one process. */
export interface Telemetry {
  metrics: Metrics;
  requests: RequestMetrics;
  /** Null without a collector: traces then have ids, which logs share, but no spans. */
  spans: SpanRecorder | null;
  /**
   * Continues the trace of a `traceparent` header, or starts one. The spans of a trace that is not
   * sampled are held until `endTrace`.
   */
  openTrace(traceparent: unknown): TraceScope;
  /** Runs background work in a trace of its own. Errors: those of `work`. */
  trace<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Sends the remaining spans, for at most two seconds. */
  close(): Promise<void>;
}

/** The settings of `processSettings` that telemetry reads. */
export interface TelemetrySettings {
  TELEMETRY_SAMPLE_RATIO: number;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
}

/** Starts the telemetry of this process. Spans are sent only to the configured collector. */
export async function createTelemetry(options: {
  service: string;
  log: Logger;
  settings: TelemetrySettings;
}): Promise<Telemetry> {
  const metrics = createMetrics(options.service);
  observeProcess(metrics);
  const spans = await openSpans(options, metrics);
  // Without a collector here the other processes must not record either.
  const sampleRatio = spans ? options.settings.TELEMETRY_SAMPLE_RATIO : 0;
  const mayKeep = createKeepLimit(keptTracesPerSecond);
  const openTrace = (traceparent: unknown): TraceScope => {
    const trace = continueTrace(traceparent, sampleRatio);
    if (!spans || trace.sampled) return { trace, spans };
    const held = new HeldSpans(spans, mayKeep);
    return { trace, spans: held, held };
  };
  return {
    metrics,
    requests: createRequestMetrics(metrics),
    spans,
    openTrace,
    trace: (name, work) => traceWork(name, openTrace(undefined), work),
    close: async () => spans?.close(),
  };
}

async function openSpans(
  { service, log, settings }: Parameters<typeof createTelemetry>[0],
  metrics: Metrics,
): Promise<SpanRecorder | null> {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return null;
  // Loading the SDK takes a third of a second, which a process without a collector saves.
  const { createSpanRecorder } = await import('./spans.ts');
  const countDropped = metrics.counter('telemetry.spans.dropped');
  return createSpanRecorder({
    service,
    endpoint,
    log,
    onDropped: (spans) => countDropped({}, spans),
  });
}

async function traceWork<Result>(
  name: string,
  scope: TraceScope,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  let failed = true;
  try {
    const result = await runInTrace(scope, work);
    failed = false;
    return result;
  } finally {
    const { trace, spans } = scope;
    if (endTrace(scope, failed)) {
      const durationMs = performance.now() - startedAt;
      spans?.record({ name, kind: 'internal', trace, failed, durationMs, attributes: {} });
    }
  }
}
