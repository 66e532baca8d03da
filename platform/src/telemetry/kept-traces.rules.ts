import { telemetryTimeouts } from '../core/timeouts.ts';
import type { FinishedSpan } from './spans.ts';

/** How a request or a piece of background work has ended. */
export interface RequestEnd {
  method: string;
  /** Undefined when the client disconnected before the response. */
  status: number | undefined;
  durationMs: number;
  /** It waits on purpose, such as for the next change. */
  mayWait: boolean;
}

/** Whether the trace of a request is kept although it is not sampled. */
export function isNotable({ method, status, durationMs, mayWait }: RequestEnd): boolean {
  if (status !== undefined && status >= 500) return true;
  if (mayWait) return false;
  return (
    durationMs > (method === 'GET' ? telemetryTimeouts.slowReadMs : telemetryTimeouts.slowWriteMs)
  );
}

/**
 * Whether a span shows that a dependency has failed. A call that another process refuses with a
 * 4xx, and a value or a row that the database refuses, are results of the request. A span without
 * an error type has failed with its request, or because the client disconnected.
 */
export function isFault({
  failed,
  attributes: { 'error.type': type },
}: Pick<FinishedSpan, 'failed' | 'attributes'>): boolean {
  return failed && type !== undefined && !expectedErrors.test(String(type));
}

/** HTTP 4xx, and the SQL states of invalid data and of integrity constraints. */
const expectedErrors = /^(4\d\d|2[23]\w{3})$/;

/**
 * Allows `perSecond` traces in each second of the monotonic clock `nowMs`: in an outage every
 * request fails, and a few of them show the cause as well as all.
 */
export function createKeepLimit(perSecond: number, nowMs = () => performance.now()): () => boolean {
  let second = 0;
  let allowed = 0;
  return () => {
    const now = Math.floor(nowMs() / 1000);
    if (now !== second) {
      second = now;
      allowed = 0;
    }
    allowed += 1;
    return allowed <= perSecond;
  };
}
