import type { FinishedSpan, SpanRecorder } from './spans.ts';
import { childOf, type TraceContext } from './trace-context.ts';
import { isSampled, runInTrace, type TraceScope } from './trace-scope.ts';

/** The maximum number of traces that get a span of one batch. */
const maxTraces = 100;

type Description = Pick<FinishedSpan, 'name' | 'kind' | 'attributes'>;

/**
 * Runs work that serves several traces: a batch of requests or of messages. Each trace gets a span
 * of it. The spans that the work itself opens, such as statements, belong to the first trace; the
 * other spans link to it.
 */
export async function traceBatch<Result>(
  description: Description,
  scopes: Iterable<TraceScope | null>,
  work: () => Promise<Result>,
): Promise<Result> {
  const places: { trace: TraceContext; spans: SpanRecorder }[] = [];
  for (const scope of scopes) {
    if (places.length === maxTraces) break;
    if (isSampled(scope)) places.push({ trace: childOf(scope.trace), spans: scope.spans });
  }
  const [first, ...others] = places;
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
