import { type Origin, subjectOf } from '@event-api/contracts/messages/snapshot';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { Stream } from '../bus/connect.ts';
import type { SpanRecorder } from '../telemetry/spans.ts';
import { continueTrace, type TraceContext, traceparentOf } from '../telemetry/trace-context.ts';
import type { OutboxRow } from './emit.ts';
import { joinPayloads } from './group.ts';

export interface Publishing {
  stream: Stream;
  origin: Origin;
  /** Null where no spans are recorded. */
  spans: SpanRecorder | null;
  timeoutMs: number;
}

/** The header with the places in traces that a message has, one value each. */
export const traceHeader = 'traceparent';

/**
 * Publishes rows as one message and answers its place in the stream. Each trace that has caused one of them gets
 * a span of that, which readers go on from. Errors: the bus's.
 */
export async function publishRows(
  rows: readonly OutboxRow[],
  { stream, origin, spans, timeoutMs }: Publishing,
): Promise<number> {
  const traces = spans ? tracesOf(rows) : [];
  const begunAt = performance.now();
  let failed = true;
  try {
    const message = joinPayloads(rows);
    const { seq } = await stream.js.publish(subjectOf(origin), message, {
      timeout: timeoutMs,
      ...(traces.length > 0 && { headers: headersOf(traces) }),
    });
    failed = false;
    return seq;
  } finally {
    for (const trace of traces) {
      spans?.record({
        name: `publish ${subjectOf(origin)}`,
        kind: 'producer',
        trace,
        failed,
        durationMs: performance.now() - begunAt,
        attributes: {
          'messaging.system': 'nats',
          'messaging.operation.name': 'publish',
          'messaging.operation.type': 'send',
          'messaging.destination.name': subjectOf(origin),
          'messaging.batch.message_count': rows.length,
        },
      });
    }
  }
}

/** A place for the publishing in each trace, under what has caused the row. */
function tracesOf(rows: readonly OutboxRow[]): TraceContext[] {
  const given = new Set(rows.flatMap(({ traceparent }) => traceparent ?? []));
  return [...given].map((traceparent) => continueTrace(traceparent, 0)).filter(isContinued);
}

/** Whether it goes on with a trace that is recorded, and did not begin one for want of it. */
const isContinued = ({ parentSpanId, sampled }: TraceContext): boolean =>
  parentSpanId !== undefined && sampled;

function headersOf(traces: readonly TraceContext[]): MsgHdrs {
  const made = headers();
  for (const trace of traces) made.append(traceHeader, traceparentOf(trace));
  return made;
}
