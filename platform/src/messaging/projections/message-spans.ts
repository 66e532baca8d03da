import { subjectFor } from '@event-api/contracts/messages/snapshot';
import { traceBatch } from '../../telemetry/batch-span.ts';
import type { SpanRecorder } from '../../telemetry/spans.ts';
import { continueTrace } from '../../telemetry/trace-context.ts';
import type { TraceScope } from '../../telemetry/trace-scope.ts';
import type { StreamMessage } from '../bus/consumer.ts';
import type { Projection } from './projection.ts';

/** Applies messages, with a span in each trace that caused a projected message. */
export async function traceMessages<Result>(
  { spans, projections }: { spans: SpanRecorder | null; projections: readonly Projection[] },
  batch: readonly StreamMessage[],
  work: () => Promise<Result>,
): Promise<Result> {
  if (!spans) return work();
  const projectedSubjects = new Set(projections.map(({ type }) => subjectFor(type.origin)));
  const own = batch.filter(({ subject }) => projectedSubjects.has(subject));
  const traceparents = new Set(own.flatMap(({ traceparents }) => traceparents));
  const subjects = [...new Set(own.map(({ subject }) => subject))].join(' ');
  const description = {
    name: `process ${subjects}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'nats',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': subjects,
      'messaging.batch.message_count': own.length,
    },
  } as const;
  return traceBatch(description, [...traceparents].flatMap(scopeFrom(spans)), work);
}

/** The position of the publish span; none if the header is invalid. */
const scopeFrom =
  (spans: SpanRecorder) =>
  (traceparent: string): TraceScope[] => {
    const { parentSpanId, ...trace } = continueTrace(traceparent, 0);
    if (parentSpanId === undefined || !trace.sampled) return [];
    return [{ trace: { ...trace, spanId: parentSpanId, parentSpanId: undefined }, spans }];
  };
