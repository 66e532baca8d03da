import type { FinishedSpan, SpanRecorder } from './spans.ts';
import { childOf, type TraceContext } from './trace-context.ts';
import { isSampled, runInTrace, type TraceScope } from './trace-scope.ts';

/** More traces than this are not told of one piece of work. */
const maxTraces = 100;

type Description = Pick<FinishedSpan, 'name' | 'kind' | 'attributes'>;

/**
 * Does work that serves several traces at once: a batch of requests, a batch of messages. Each trace gets
 * a span of it, under its own place. What the work does itself, its statements for instance, stands under the
 * first one; the others carry a link to that.
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
  // Outside of any trace rather than in that of whoever happened to come first, if that is not recorded.
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
