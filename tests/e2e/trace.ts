import type { CollectedSpan } from '@event-api/platform/testing/collector';
import { eventually } from '@event-api/platform/testing/eventually';
import type { TelemetryFixture } from './fixtures/telemetry.ts';

/**
 * Sends a request. Returns the spans of its trace when `isWhole` accepts them and all their parents
 * have arrived.
 */
export async function traceOf(
  { collector }: Pick<TelemetryFixture, 'collector'>,
  request: () => Promise<{ headers: Record<string, string> }>,
  isWhole: (spans: Trace) => void,
): Promise<Trace> {
  const { headers } = await request();
  return eventually(() => {
    const root = collector.spans.find(
      ({ service, kind, attributes }) =>
        service === 'gateway' &&
        kind === 'server' &&
        attributes['event_api.request_id'] === headers['request-id'],
    );
    if (!root) throw new Error('the gateway has not exported the trace yet');
    const trace = new Trace(collector.spans.filter((span) => span.traceId === root.traceId));
    isWhole(trace);
    // Processes export their spans at different times.
    for (const span of trace.spans) trace.wayUp(span);
    return trace;
  });
}

/** The spans of one trace, with queries. */
export class Trace {
  readonly spans: CollectedSpan[];
  constructor(spans: CollectedSpan[]) {
    this.spans = spans;
  }
  all(service: string, kind: CollectedSpan['kind'], name?: string): CollectedSpan[] {
    return this.spans.filter(
      (span) =>
        span.service === service && span.kind === kind && (!name || span.name.includes(name)),
    );
  }
  one(service: string, kind: CollectedSpan['kind'], name?: string): CollectedSpan {
    const [found, ...others] = this.all(service, kind, name);
    if (!found || others.length > 0) {
      throw new Error(`${others.length + (found ? 1 : 0)} ${kind} spans ${service} ${name}`);
    }
    return found;
  }
  /** Returns the names from a span to the root. */
  wayUp(span: CollectedSpan): string[] {
    const parent = this.spans.find(({ spanId }) => spanId === span.parentSpanId);
    if (!parent && span.parentSpanId) throw new Error(`${span.name} has no parent in the trace`);
    const own = `${span.service} ${span.kind} ${span.name}`;
    return parent ? [own, ...this.wayUp(parent)] : [own];
  }
}
