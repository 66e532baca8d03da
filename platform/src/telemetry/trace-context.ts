import { randomFillSync } from 'node:crypto';

/** A position in a trace, as in W3C Trace Context. */
export interface TraceContext {
  traceId: string;
  spanId: string;
  /** The span of the caller; undefined at the start of a trace. */
  parentSpanId: string | undefined;
  /** Whether spans of this trace are recorded. The first process of the trace decides. */
  sampled: boolean;
}

const format = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const sampledFlag = 1;

/** The header of W3C Trace Context. A bus message has one value per trace that caused it. */
export const traceparentHeader = 'traceparent';

/** The header of a response whose trace is exported although its caller does not sample it. */
export const traceresponseHeader = 'traceresponse';

/**
 * Continues the trace of a `traceparent` header. Without a valid one it starts a trace, sampled at
 * `ratio` (0 to 1).
 */
export function continueTrace(traceparent: unknown, ratio: number): TraceContext {
  const [, traceId, parentSpanId, flags = '0'] =
    (typeof traceparent === 'string' && format.exec(traceparent)) || [];
  if (traceId) {
    const sampled = (Number.parseInt(flags, 16) & sampledFlag) === sampledFlag;
    return { traceId, spanId: randomHex(8), parentSpanId, sampled };
  }
  const traceIdOfNew = randomHex(16);
  return {
    traceId: traceIdOfNew,
    spanId: randomHex(8),
    parentSpanId: undefined,
    sampled: isSampled(traceIdOfNew, ratio),
  };
}

/** The context of a child span. */
export const childOf = ({ traceId, spanId, sampled }: TraceContext): TraceContext => ({
  traceId,
  spanId: randomHex(8),
  parentSpanId: spanId,
  sampled,
});

/** The header for requests to other processes. */
export const traceparentOf = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

const sampledHexDigits = 8;

// The random trace id decides, so that no second random number is needed.
const isSampled = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-sampledHexDigits), 16) < ratio * 16 ** sampledHexDigits;

const pool = Buffer.alloc(4096);
let used = pool.length;

/**
 * Random bytes in hexadecimal, drawn 4 KiB at a time: one call to the generator costs as much as
 * all ids of a request.
 */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}
