import { type HrTime, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { systemClock } from '../core/clock.ts';
import type { Logger } from '../core/log.ts';
import type { SpanAttributes } from './attributes.ts';
import type { TraceContext } from './trace-context.ts';

/** A piece of work that has ended. */
export interface FinishedSpan {
  name: string;
  kind: 'server' | 'client' | 'internal' | 'producer' | 'consumer';
  trace: TraceContext;
  /** Spans of other traces that this one has to do with. */
  links?: readonly TraceContext[];
  durationMs: number;
  attributes: SpanAttributes;
  failed: boolean;
}

/** Sends spans to a collector, some at a time, without anybody waiting for it. */
export interface SpanRecorder {
  /** Takes a span that ends now. Those beyond 2,048 waiting ones are dropped. */
  record(span: FinishedSpan): void;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
}

const closeLimitMs = 2_000;
const exportLimitMs = 4_000;

/** Speaks OTLP over HTTP to the collector at `endpoint`. `onLost` hears how many spans it did not take. */
export function createSpanRecorder(options: {
  service: string;
  endpoint: string;
  log: Logger;
  onDropped: (spans: number) => void;
}): SpanRecorder {
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportLimitMs });
  const processor = new BatchSpanProcessor({
    exporter: reportingDrops(exporter, options),
    scheduledDelayMillis: 1_000,
    exportTimeoutMillis: exportLimitMs,
  });
  const resource = resourceFromAttributes({ 'service.name': options.service });
  return {
    record: (span) => processor.onEnd(readable(span, resource)),
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeLimitMs);
      });
      // What could not be sent is lost, and `onLost` has heard of it.
      await Promise.race([processor.shutdown().catch(() => {}), limit]);
      clearTimeout(timer);
    },
  };
}

/** Counts what is lost and says once that the collector is away, and once that it is back. */
function reportingDrops(
  exporter: SpanExporter,
  { log, onDropped }: { log: Logger; onDropped: (spans: number) => void },
): SpanExporter {
  let isAway = false;
  const report = (result: ExportResult, spans: number) => {
    const failed = result.code !== ExportResultCode.SUCCESS;
    if (failed) onDropped(spans);
    if (failed && !isAway) log.warn({ err: result.error }, 'the collector of traces is away');
    if (!failed && isAway) log.info('the collector of traces is back');
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
 * The SDK's form of a span that was never open there: most requests are not sampled, and those pay
 * nothing for spans this way.
 */
function readable(span: FinishedSpan, resource: ReadableSpan['resource']): ReadableSpan {
  const { name, trace, durationMs, attributes, failed, links = [] } = span;
  const { traceId, spanId, parentSpanId } = trace;
  const endMs = systemClock.now().getTime();
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
