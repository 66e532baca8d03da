import { type Origin, subjectFor } from '@event-api/contracts/messages/snapshot';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { SpanRecorder } from '../../telemetry/spans.ts';
import { continueTrace, type TraceContext, traceparentOf } from '../../telemetry/trace-context.ts';
import type { StreamConnection } from '../bus/connect.ts';
import type { OutboxRow } from './emit.ts';
import { joinPayloads } from './group.ts';

export interface PublishOptions {
  stream: StreamConnection;
  origin: Origin;
  /** Null where no spans are recorded. */
  spans: SpanRecorder | null;
  timeoutMs: number;
}

/** The header with the places in traces that a message has, one value each. */
export const traceparentHeader = 'traceparent';

/**
 * Publishes rows as one message and answers its place in the stream. Each trace that has caused one of them gets
 * a span of that, which readers go on from. Errors: the bus's.
 */
export async function publishRows(
  rows: readonly OutboxRow[],
  { stream, origin, spans, timeoutMs }: PublishOptions,
): Promise<number> {
  const traces = spans ? tracesFor(rows) : [];
  const startedAt = performance.now();
  let failed = true;
  try {
    const message = joinPayloads(rows);
    const { seq } = await stream.js.publish(subjectFor(origin), message, {
      timeout: timeoutMs,
      ...(traces.length > 0 && { headers: headersOf(traces) }),
    });
    failed = false;
    return seq;
  } finally {
    for (const trace of traces) {
      spans?.record({
        name: `publish ${subjectFor(origin)}`,
        kind: 'producer',
        trace,
        failed,
        durationMs: performance.now() - startedAt,
        attributes: {
          'messaging.system': 'nats',
          'messaging.operation.name': 'publish',
          'messaging.operation.type': 'send',
          'messaging.destination.name': subjectFor(origin),
          'messaging.batch.message_count': rows.length,
        },
      });
    }
  }
}

/** A place for the publishing in each trace, under what has caused the row. */
function tracesFor(rows: readonly OutboxRow[]): TraceContext[] {
  const traceparents = new Set(rows.flatMap(({ traceparent }) => traceparent ?? []));
  return [...traceparents].map((traceparent) => continueTrace(traceparent, 0)).filter(isContinued);
}

/** Whether it goes on with a trace that is recorded, and did not begin one for want of it. */
const isContinued = ({ parentSpanId, sampled }: TraceContext): boolean =>
  parentSpanId !== undefined && sampled;

function headersOf(traces: readonly TraceContext[]): MsgHdrs {
  const messageHeaders = headers();
  for (const trace of traces) messageHeaders.append(traceparentHeader, traceparentOf(trace));
  return messageHeaders;
}
