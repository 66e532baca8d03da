import { type Origin, subjectFor } from '@event-api/contracts/messages/snapshot';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { SpanRecorder } from '../../telemetry/spans.ts';
import {
  continueTrace,
  type TraceContext,
  traceparentHeader,
  traceparentOf,
} from '../../telemetry/trace-context.ts';
import type { StreamConnection } from '../bus/connect.ts';
import type { OutboxRow } from './emit.ts';

export interface PublishOptions {
  stream: StreamConnection;
  origin: Origin;
  /** Null where no spans are recorded. */
  spans: SpanRecorder | null;
  timeoutMs: number;
}

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

/** How many rows share a message at most. */
export const maxRows = 128;
const maxBytes = 256 * 1024;

/** How many of these rows, from the first on, go into one message: at least one, however large it is. */
export function rowsPerMessage(rows: readonly OutboxRow[]): number {
  let bytes = 0;
  let count = 0;
  for (const { payload } of rows) {
    bytes += Buffer.byteLength(payload);
    if (count > 0 && (bytes > maxBytes || count === maxRows)) break;
    count += 1;
  }
  return count;
}

/** One array out of several; each payload is one already. */
export const joinPayloads = (rows: readonly OutboxRow[]): string =>
  `[${rows.map(({ payload }) => payload.slice(1, -1)).join(',')}]`;

/** What a repeat would not cure: the message itself is at fault. */
export const isRejected = (error: unknown): boolean =>
  error instanceof Error && /max_payload|maximum payload|message size exceeds/i.test(error.message);
