import { AsyncLocalStorage } from 'node:async_hooks';
import type { SpanAttributes } from './attributes.ts';
import type { FinishedSpan, SpanRecorder } from './spans.ts';
import { childOf, type TraceContext, traceparentOf } from './trace-context.ts';

/** Where work under way stands in a trace, and who records its spans. */
export interface TraceScope {
  readonly trace: TraceContext;
  /** Null where no collector is configured: ids then go on, spans do not. */
  readonly spans: SpanRecorder | null;
}

const scopes = new AsyncLocalStorage<TraceScope | null>();

/** Runs `work`, and all that it starts, at this place of a trace; with null outside of any. */
export const runInTrace = <Result>(scope: TraceScope | null, work: () => Result): Result =>
  scopes.run(scope, work);

/** Where the work under way stands; null outside of any trace. */
export const currentTrace = (): TraceScope | null => scopes.getStore() ?? null;

/** The `traceparent` to be kept with what others do about the work under way later; null where no spans are recorded. */
export const sampledTraceparent = (): string | null => {
  const scope = currentTrace();
  return isSampled(scope) ? traceparentOf(scope.trace) : null;
};

/** Whether spans of this work are recorded: only then is it worth describing them. */
export const isSampled = (
  scope: TraceScope | null,
): scope is TraceScope & { spans: SpanRecorder } =>
  scope?.trace.sampled === true && scope.spans !== null;

export type SpanDescription = Pick<FinishedSpan, 'name' | 'kind' | 'attributes'>;

/** A piece of work that has begun, under the one that was under way then. */
export interface OpenSpan {
  /** For whoever is asked as this piece of work. */
  readonly traceparent: string | undefined;
  /** Where the statements and calls of this piece belong. */
  readonly scope: TraceScope | null;
  /** Once; later calls say nothing. */
  end(how?: { failed?: boolean; attributes?: SpanAttributes }): void;
}

/** Begins a span under the work under way, or in `scope`. Where none is recorded it costs next to nothing and says nothing. */
export function openSpan(description: SpanDescription, scope = currentTrace()): OpenSpan {
  if (!isSampled(scope)) {
    return { traceparent: scope ? traceparentOf(scope.trace) : undefined, scope, end() {} };
  }
  const { spans } = scope;
  const trace = childOf(scope.trace);
  const startedAt = performance.now();
  let ended = false;
  return {
    traceparent: traceparentOf(trace),
    scope: { trace, spans },
    end({ failed = false, attributes = {} } = {}) {
      if (ended) return;
      ended = true;
      spans.record({
        ...description,
        attributes: { ...description.attributes, ...attributes },
        trace,
        failed,
        durationMs: performance.now() - startedAt,
      });
    },
  };
}

/** How asking another process has ended, by the status of its answer. */
export const responseAttributes = (
  status: number,
): { failed: boolean; attributes: SpanAttributes } => ({
  failed: status >= 400,
  attributes: {
    'http.response.status_code': status,
    ...(status >= 400 && { 'error.type': String(status) }),
  },
});
