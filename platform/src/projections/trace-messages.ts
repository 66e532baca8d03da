import { subjectOf } from '@event-api/contracts/messages/snapshot';
import { shareWork } from '../telemetry/shared-work.ts';
import type { SpanRecorder } from '../telemetry/spans.ts';
import { continueTrace } from '../telemetry/trace-context.ts';
import type { TraceScope } from '../telemetry/trace-scope.ts';
import type { Received } from './apply.ts';
import type { Copy } from './copy.ts';

/** Takes messages in, with a span of that in each trace that has caused one which is copied here. */
export async function traceMessages<Result>(
  { spans, copies }: { spans: SpanRecorder | null; copies: readonly Copy[] },
  batch: readonly Received[],
  work: () => Promise<Result>,
): Promise<Result> {
  if (!spans) return work();
  const copied = new Set(copies.map(({ type }) => subjectOf(type.origin)));
  const own = batch.filter(({ subject }) => copied.has(subject));
  const given = new Set(own.flatMap(({ traceparents }) => traceparents));
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
  return shareWork(description, [...given].flatMap(scopeFrom(spans)), work);
}

/** Where the publishing stands; nowhere, if the header says nothing of use. */
const scopeFrom =
  (spans: SpanRecorder) =>
  (traceparent: string): TraceScope[] => {
    const { parentSpanId, ...trace } = continueTrace(traceparent, 0);
    if (parentSpanId === undefined) return [];
    return [{ trace: { ...trace, spanId: parentSpanId, parentSpanId: undefined }, spans }];
  };
