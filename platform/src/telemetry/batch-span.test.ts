import { expect, test } from 'vitest';
import { traceBatch } from './batch-span.ts';
import type { FinishedSpan } from './spans.ts';
import { continueTrace } from './trace-context.ts';
import { currentTrace, runInTrace, type TraceScope } from './trace-scope.ts';

const description = { name: 'batch', kind: 'internal', attributes: {} } as const;

function recording(): { recorded: FinishedSpan[]; scope: (sampled?: boolean) => TraceScope } {
  const recorded: FinishedSpan[] = [];
  const spans = { record: (span: FinishedSpan) => void recorded.push(span) };
  return {
    recorded,
    scope: (sampled = true) => ({
      trace: continueTrace(undefined, sampled ? 1 : 0),
      spans: sampled ? spans : null,
    }),
  };
}

/** A trace that is not sampled, and whose spans are recorded nevertheless. */
const held = ({ spans }: TraceScope): TraceScope => ({
  trace: continueTrace(undefined, 0),
  spans,
});

test('records a span in each sampled trace and runs the work in the first one', async () => {
  const { recorded, scope } = recording();
  const [unsampled, first, second] = [scope(false), scope(), scope()];
  const ranIn = await traceBatch(description, [null, unsampled, first, second], async () =>
    currentTrace(),
  );
  expect(recorded).toMatchObject([
    { failed: false, trace: { traceId: first?.trace.traceId, parentSpanId: first?.trace.spanId } },
    {
      trace: { traceId: second?.trace.traceId, parentSpanId: second?.trace.spanId },
      links: [{ spanId: ranIn?.trace.spanId }],
    },
  ]);
  expect(ranIn?.trace).toEqual(recorded[0]?.trace);
  expect(recorded[0]?.links).toBeUndefined();
});

test('runs the work in a sampled trace although one that is not sampled comes first', async () => {
  const { recorded, scope } = recording();
  const sampled = scope();
  const scopes = [held(sampled), sampled];
  const ranIn = await traceBatch(description, scopes, async () => currentTrace());
  expect(ranIn?.trace.traceId).toBe(sampled.trace.traceId);
  expect(recorded.map(({ trace }) => trace.traceId).toSorted()).toEqual(
    scopes.map(({ trace }) => trace.traceId).toSorted(),
  );
});

test('records spans in sampled traces before those that are not', async () => {
  const { recorded, scope } = recording();
  const sampled = scope();
  const scopes = [...Array.from({ length: 200 }, () => held(sampled)), sampled];
  await traceBatch(description, scopes, async () => {});
  expect(recorded).toHaveLength(100);
  expect(recorded[0]?.trace.traceId).toBe(sampled.trace.traceId);
});

test('runs outside of any trace when none is recorded', async () => {
  const { recorded, scope } = recording();
  const ranIn = await runInTrace(scope(), () =>
    traceBatch(description, [null, scope(false)], async () => currentTrace()),
  );
  expect(ranIn).toBeNull();
  expect(recorded).toEqual([]);
});

test('records a failure in each trace', async () => {
  const { recorded, scope } = recording();
  const work = () => Promise.reject(new Error('no'));
  await expect(traceBatch(description, [scope(), scope()], work)).rejects.toThrow('no');
  expect(recorded.map(({ failed }) => failed)).toEqual([true, true]);
});

test('records spans in at most 100 traces', async () => {
  const { recorded, scope } = recording();
  const scopes = Array.from({ length: 300 }, () => scope());
  await traceBatch(description, scopes, async () => {});
  expect(recorded).toHaveLength(100);
});
