import { expect, it } from 'vitest';
import { shareWork } from './shared-work.ts';
import type { EndedSpan } from './spans.ts';
import { continueTrace } from './trace-context.ts';
import { currentTrace, runInTrace, type TraceScope } from './trace-scope.ts';

const description = { name: 'batch', kind: 'internal', attributes: {} } as const;

function recording(): { told: EndedSpan[]; scope: (sampled?: boolean) => TraceScope } {
  const told: EndedSpan[] = [];
  const spans = { record: (span: EndedSpan) => void told.push(span), close: async () => {} };
  return {
    told,
    scope: (sampled = true) => ({ trace: continueTrace(undefined, sampled ? 1 : 0), spans }),
  };
}

it('gives each recorded trace a span under its own place; the work runs under the first', async () => {
  const { told, scope } = recording();
  const [unsampled, first, second] = [scope(false), scope(), scope()];
  const ranIn = await shareWork(description, [null, unsampled, first, second], async () =>
    currentTrace(),
  );
  expect(told).toMatchObject([
    { failed: false, trace: { traceId: first?.trace.traceId, parentSpanId: first?.trace.spanId } },
    {
      trace: { traceId: second?.trace.traceId, parentSpanId: second?.trace.spanId },
      links: [{ spanId: ranIn?.trace.spanId }],
    },
  ]);
  expect(ranIn?.trace).toEqual(told[0]?.trace);
  expect(told[0]?.links).toBeUndefined();
});

it('runs outside of any trace where none is recorded, whoever happened to begin it', async () => {
  const { told, scope } = recording();
  const ranIn = await runInTrace(scope(), () =>
    shareWork(description, [null, scope(false)], async () => currentTrace()),
  );
  expect(ranIn).toBeNull();
  expect(told).toEqual([]);
});

it('says in each trace that it has failed', async () => {
  const { told, scope } = recording();
  const work = () => Promise.reject(new Error('no'));
  await expect(shareWork(description, [scope(), scope()], work)).rejects.toThrow('no');
  expect(told.map(({ failed }) => failed)).toEqual([true, true]);
});

it('tells no more than a hundred traces', async () => {
  const { told, scope } = recording();
  const scopes = Array.from({ length: 300 }, () => scope());
  await shareWork(description, scopes, async () => {});
  expect(told).toHaveLength(100);
});
