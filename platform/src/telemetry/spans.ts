import { type HrTime, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { systemClock } from '../core/clock.ts';
import { withTimeout } from '../core/deadline.ts';
import type { Logger } from '../core/log.ts';
import { telemetryTimeouts } from '../core/timeouts.ts';
import type { SpanAttributes } from './attributes.ts';
import type { TraceContext } from './trace-context.ts';

/** A span that has ended. */
export interface FinishedSpan {
  name: string;
  kind: 'server' | 'client' | 'internal' | 'producer' | 'consumer';
  trace: TraceContext;
  /** Links to related spans of other traces. */
  links?: readonly TraceContext[];
  durationMs: number;
  attributes: SpanAttributes;
  failed: boolean;
}

/** Takes finished spans. */
export interface SpanSink {
  /** Records a span that ended `agoMs` ago, by default now. */
  record(span: FinishedSpan, agoMs?: number): void;
}

/**
 * Sends spans to a collector in batches, in the background. Spans beyond 2,048 in the queue are
 * dropped.
 */
export interface SpanRecorder extends SpanSink {
  /** Sends the remaining spans, for at most two seconds. */
  close(): Promise<void>;
}

/**
 * Sends to the collector at `endpoint` as OTLP over HTTP. `onDropped` receives the number of lost
 * spans.
 */
export function createSpanRecorder(options: {
  service: string;
  endpoint: string;
  log: Logger;
  onDropped: (spans: number) => void;
}): SpanRecorder {
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: telemetryTimeouts.exportMs });
  const processor = new BatchSpanProcessor({
    exporter: reportingDrops(exporter, options),
    scheduledDelayMillis: telemetryTimeouts.exportIntervalMs,
    exportTimeoutMillis: telemetryTimeouts.exportMs,
  });
  const resource = resourceFromAttributes({ 'service.name': options.service });
  return {
    record: (span, agoMs = 0) => processor.onEnd(readable(span, resource, agoMs)),
    async close() {
      // Lost spans have been reported to `onDropped`.
      const sent = processor.shutdown().catch(() => {});
      await withTimeout(sent, telemetryTimeouts.closeMs);
    },
  };
}

/**
 * Counts lost spans. Logs once when the collector becomes unavailable and once when it recovers.
 */
function reportingDrops(
  exporter: SpanExporter,
  { log, onDropped }: { log: Logger; onDropped: (spans: number) => void },
): SpanExporter {
  let isAway = false;
  const report = (result: ExportResult, spans: number) => {
    const failed = result.code !== ExportResultCode.SUCCESS;
    if (failed) onDropped(spans);
    if (failed && !isAway)
      log.warn({ err: result.error }, 'trace collector unavailable, spans are lost');
    if (!failed && isAway) log.info('trace collector available again');
    isAway = failed;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        report(result, spans.length);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};
const instrumentationScope = { name: 'event-api' };

/**
 * The SDK's form of a finished span. No SDK span is opened: most requests are not sampled and pay
 * nothing this way.
 */
function readable(
  span: FinishedSpan,
  resource: ReadableSpan['resource'],
  agoMs: number,
): ReadableSpan {
  const { name, trace, durationMs, attributes, failed, links = [] } = span;
  const { traceId, spanId, parentSpanId } = trace;
  const endMs = systemClock.now().getTime() - agoMs;
  const context = { traceId, spanId, traceFlags: 1 };
  return {
    name,
    kind: kinds[span.kind],
    spanContext: () => context,
    ...(parentSpanId && {
      parentSpanContext: { traceId, spanId: parentSpanId, traceFlags: 1, isRemote: true },
    }),
    startTime: hrTime(endMs - durationMs),
    endTime: hrTime(endMs),
    duration: hrTime(durationMs),
    status: { code: failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes,
    resource,
    instrumentationScope,
    links: links.map((linked) => ({
      context: { traceId: linked.traceId, spanId: linked.spanId, traceFlags: 1 },
    })),
    events: [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Milliseconds as seconds and nanoseconds. */
function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
