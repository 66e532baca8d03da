import type { FinishedSpan, SpanSink } from './spans.ts';
import { childOf } from './trace-context.ts';
import { isRecorded, runInTrace, type TraceScope } from './trace-scope.ts';

/** The maximum number of traces that get a span of one batch. */
const maxTraces = 100;

type Description = Pick<FinishedSpan, 'name' | 'kind' | 'attributes'>;

/**
 * Runs work that serves several traces: a batch of requests or of messages. Each trace gets a span
 * of it. The spans that the work itself opens, such as statements, belong to the first sampled
 * trace, or to the first one; the other spans link to it.
 */
export async function traceBatch<Result>(
  description: Description,
  scopes: Iterable<TraceScope | null>,
  work: () => Promise<Result>,
): Promise<Result> {
  const [first, ...others] = placesIn(scopes);
  // If the first trace is not recorded, the work runs outside of any trace.
  if (!first) return runInTrace(null, work);
  const startedAt = performance.now();
  let failed = true;
  try {
    const result = await runInTrace(first, work);
    failed = false;
    return result;
  } finally {
    const ended = { ...description, failed, durationMs: performance.now() - startedAt };
    first.spans.record({ ...ended, trace: first.trace });
    for (const { trace, spans } of others) {
      spans.record({ ...ended, trace, links: [first.trace] });
    }
  }
}

type Place = TraceScope & { spans: SpanSink };

/** The position of the span in each trace, those of sampled traces first. */
function placesIn(scopes: Iterable<TraceScope | null>): Place[] {
  const recorded = [...scopes].filter(isRecorded);
  const sampled = recorded.filter(({ trace }) => trace.sampled);
  const others = recorded.filter(({ trace }) => !trace.sampled);
  return [...sampled, ...others]
    .slice(0, maxTraces)
    .map((scope) => ({ ...scope, trace: childOf(scope.trace) }));
}
