import { AsyncLocalStorage } from 'node:async_hooks';
import type { SpanAttributes } from './attributes.ts';
import type { FinishedSpan, SpanRecorder } from './spans.ts';
import { childOf, type TraceContext, traceparentOf } from './trace-context.ts';

/** The current position in a trace, and the recorder of its spans. */
export interface TraceScope {
  readonly trace: TraceContext;
  /** Null without a collector: ids are passed on, spans are not recorded. */
  readonly spans: SpanRecorder | null;
}

const scopes = new AsyncLocalStorage<TraceScope | null>();

/** Runs `work`, and everything it starts, in this scope; with null outside of any trace. */
export const runInTrace = <Result>(scope: TraceScope | null, work: () => Result): Result =>
  scopes.run(scope, work);

/** The current scope; null outside of any trace. */
export const currentTrace = (): TraceScope | null => scopes.getStore() ?? null;

/**
 * The `traceparent` to store with work that continues the trace later; null when no spans are
 * recorded.
 */
export const sampledTraceparent = (): string | null => {
  const scope = currentTrace();
  return isSampled(scope) ? traceparentOf(scope.trace) : null;
};

/** Whether spans of this trace are recorded. Only then are they worth describing. */
export const isSampled = (
  scope: TraceScope | null,
): scope is TraceScope & { spans: SpanRecorder } =>
  scope?.trace.sampled === true && scope.spans !== null;

export type SpanDescription = Pick<FinishedSpan, 'name' | 'kind' | 'attributes'>;

/** A started span, a child of the scope in which it started. */
export interface OpenSpan {
  /** The header for requests that belong to this span. */
  readonly traceparent: string | undefined;
  /** The scope in which the statements and calls of this span run. */
  readonly scope: TraceScope | null;
  /** Ends the span. Later calls do nothing. */
  end(how?: { failed?: boolean; attributes?: SpanAttributes }): void;
}

/**
 * Starts a span under the current scope, or under `scope`. Without recording it does almost
 * nothing.
 */
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

/** The span attributes of a response by its status. */
export const responseAttributes = (
  status: number,
): { failed: boolean; attributes: SpanAttributes } => ({
  failed: status >= 400,
  attributes: {
    'http.response.status_code': status,
    ...(status >= 400 && { 'error.type': String(status) }),
  },
});
