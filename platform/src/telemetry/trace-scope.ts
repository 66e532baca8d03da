import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { SpanAttributes } from './attributes.ts';
import type { HeldSpans } from './held-spans.ts';
import type { FinishedSpan, SpanSink } from './spans.ts';
import { childOf, type TraceContext, traceparentOf, traceresponseHeader } from './trace-context.ts';

/** The current position in a trace, and what takes its spans. */
export interface TraceScope {
  readonly trace: TraceContext;
  /** Null where ids are passed on and spans are not recorded, such as without a collector. */
  readonly spans: SpanSink | null;
  /** The same spans, in a trace that is not sampled. */
  readonly held?: HeldSpans;
}

const scopes = new AsyncLocalStorage<TraceScope | null>();

/** Runs `work`, and everything it starts, in this scope; with null outside of any trace. */
export const runInTrace = <Result>(scope: TraceScope | null, work: () => Result): Result =>
  scopes.run(scope, work);

/** The current scope; null outside of any trace. */
export const currentTrace = (): TraceScope | null => scopes.getStore() ?? null;

/**
 * The `traceparent` to store with work that continues the trace later; null in a trace that is not
 * sampled.
 */
export const sampledTraceparent = (): string | null => {
  const scope = currentTrace();
  return isRecorded(scope) && scope.trace.sampled ? traceparentOf(scope.trace) : null;
};

/** Whether spans of this trace are recorded. Only then are they worth describing. */
export const isRecorded = (scope: TraceScope | null): scope is TraceScope & { spans: SpanSink } =>
  scope !== null && scope.spans !== null;

/**
 * Ends the work of this process in a trace. Held spans are exported if the work `isNotable` or its
 * trace is kept for another reason. Returns whether the spans of the trace are exported.
 */
export function endTrace({ spans, held }: TraceScope, isNotable: boolean): boolean {
  if (!held) return spans !== null;
  if (isNotable) held.keepIfAllowed();
  held.drop();
  return held.isExported;
}

/** The current trace if its spans are exported; else null. */
export function exportedTrace(): TraceContext | null {
  const scope = currentTrace();
  if (!isRecorded(scope)) return null;
  return scope.held && !scope.held.isExported ? null : scope.trace;
}

export type SpanDescription = Pick<FinishedSpan, 'name' | 'kind' | 'attributes'>;

/** A started span, a child of the scope in which it started. */
export interface OpenSpan {
  /** The header for requests that belong to this span. */
  readonly traceparent: string | undefined;
  /** Reads from the headers of a response that its process exports this trace. */
  received(headers: IncomingHttpHeaders): void;
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
  if (!isRecorded(scope)) {
    const traceparent = scope ? traceparentOf(scope.trace) : undefined;
    return { traceparent, scope, received() {}, end() {} };
  }
  const { spans, held } = scope;
  const trace = childOf(scope.trace);
  const startedAt = performance.now();
  let ended = false;
  return {
    traceparent: traceparentOf(trace),
    scope: { trace, spans, ...(held && { held }) },
    received(headers) {
      if (headers[traceresponseHeader] !== undefined) held?.keep();
    },
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
