import {
  lineageHeader,
  type Origin,
  outboxHeader,
  previousLineageHeader,
  subjectFor,
} from '@event-api/contracts/messages/snapshot';
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
import type { Lineages } from './rewind.ts';

export interface PublishOptions {
  stream: StreamConnection;
  origin: Origin;
  /** Of the database that has committed the rows. */
  lineages: Lineages;
  /** Null where no spans are recorded. */
  spans: SpanRecorder | null;
  timeoutMs: number;
}

/**
 * Publishes rows as one message and returns its sequence number. Each trace that caused a row gets
 * a publish span; consumers continue from it. Errors: those of the bus.
 */
export async function publishRows(
  rows: readonly OutboxRow[],
  { stream, origin, lineages, spans, timeoutMs }: PublishOptions,
): Promise<number> {
  const traces = spans ? tracesFor(rows) : [];
  const startedAt = performance.now();
  let failed = true;
  try {
    const message = joinPayloads(rows);
    const { seq } = await stream.js.publish(subjectFor(origin), message, {
      timeout: timeoutMs,
      headers: headersOf(rows, lineages, traces),
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

/** The position of the publish span in each trace, as a child of the work that wrote the row. */
function tracesFor(rows: readonly OutboxRow[]): TraceContext[] {
  const traceparents = new Set(rows.flatMap(({ traceparent }) => traceparent ?? []));
  return [...traceparents].map((traceparent) => continueTrace(traceparent, 0)).filter(isContinued);
}

/** Whether the trace was continued and is recorded, and not started for lack of a valid header. */
const isContinued = ({ parentSpanId, sampled }: TraceContext): boolean =>
  parentSpanId !== undefined && sampled;

function headersOf(
  rows: readonly OutboxRow[],
  { lineage, previousLineage }: Lineages,
  traces: readonly TraceContext[],
): MsgHdrs {
  const messageHeaders = headers();
  messageHeaders.set(lineageHeader, lineage);
  if (previousLineage) messageHeaders.set(previousLineageHeader, previousLineage);
  messageHeaders.set(outboxHeader, rows.map(({ id }) => id).join(','));
  for (const trace of traces) messageHeaders.append(traceparentHeader, traceparentOf(trace));
  return messageHeaders;
}

/** The maximum number of rows in a message. */
export const maxRows = 128;
const maxBytes = 256 * 1024;

/** The number of rows, from the first, that fit into one message; at least one. */
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

/** Joins several JSON arrays into one. */
export const joinPayloads = (rows: readonly OutboxRow[]): string =>
  `[${rows.map(({ payload }) => payload.slice(1, -1)).join(',')}]`;

/** Whether the server rejected the message itself, so that a retry would fail again. */
export const isRejected = (error: unknown): boolean =>
  error instanceof Error && /max_payload|maximum payload|message size exceeds/i.test(error.message);
