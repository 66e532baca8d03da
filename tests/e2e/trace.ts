import type { CollectedSpan } from '@event-api/platform/testing/collector';
import { eventually } from '@event-api/platform/testing/eventually';
import type { TelemetryFixture } from './fixtures/telemetry.ts';

/** Asks, and answers every span of the trace of that once it has all that `isWhole` wants, and all that those hang on. */
export async function traceOf(
  { collector }: TelemetryFixture,
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
    if (!root) throw new Error('the gateway has not told of it yet');
    const trace = new Trace(collector.spans.filter((span) => span.traceId === root.traceId));
    isWhole(trace);
    // Each process tells of its own spans in its own time.
    for (const span of trace.spans) trace.wayUp(span);
    return trace;
  });
}

/** Spans of one trace, found by what they are. */
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
  /** From a span up to the root, by name. */
  wayUp(span: CollectedSpan): string[] {
    const parent = this.spans.find(({ spanId }) => spanId === span.parentSpanId);
    if (!parent && span.parentSpanId) throw new Error(`${span.name} hangs on nothing`);
    const own = `${span.service} ${span.kind} ${span.name}`;
    return parent ? [own, ...this.wayUp(parent)] : [own];
  }
}
