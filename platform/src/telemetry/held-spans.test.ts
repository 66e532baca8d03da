import { describe, expect, test } from 'vitest';
import { HeldSpans } from './held-spans.ts';
import type { FinishedSpan } from './spans.ts';
import { continueTrace } from './trace-context.ts';

const trace = continueTrace(undefined, 0);
const span = (name: string, errorType?: string): FinishedSpan => ({
  name,
  kind: 'client',
  trace,
  durationMs: 1,
  failed: errorType !== undefined,
  attributes: { 'error.type': errorType },
});

function hold({ mayKeep = true } = {}) {
  const exported: { name: string; agoMs: number | undefined }[] = [];
  const sink = {
    record: ({ name }: FinishedSpan, agoMs?: number) => void exported.push({ name, agoMs }),
  };
  const held = new HeldSpans(sink, () => mayKeep);
  return { held, exported, names: () => exported.map(({ name }) => name) };
}

describe('held spans', () => {
  test('are dropped when the request ends, and later ones with them', () => {
    const { held, names } = hold();
    held.record(span('a'));
    held.drop();
    held.record(span('late', '503'));
    held.keep();
    expect(names()).toEqual([]);
    expect(held.isExported).toBe(false);
  });

  test('are exported in their order after a fault, and later ones at once', () => {
    const { held, names } = hold();
    held.record(span('a'));
    held.record(span('b', '404'));
    expect(names()).toEqual([]);
    held.record(span('c', 'unreachable'));
    expect(names()).toEqual(['a', 'b', 'c']);
    held.record(span('d'));
    held.drop();
    held.record(span('late'));
    expect(names()).toEqual(['a', 'b', 'c', 'd', 'late']);
  });

  test('keep the time of their end', async () => {
    const { held, exported } = hold();
    held.record(span('a'));
    const begin = performance.now();
    while (performance.now() - begin < 20);
    held.keep();
    expect(exported[0]?.agoMs).toBeGreaterThanOrEqual(20);
  });

  test('are not exported beyond the limit of the process, except for a caller', () => {
    const { held, names } = hold({ mayKeep: false });
    held.record(span('a', '503'));
    held.keepIfAllowed();
    expect(names()).toEqual([]);
    held.keep();
    expect(names()).toEqual(['a']);
  });

  test('report the decision once', () => {
    const { held } = hold();
    let kept = 0;
    held.onExport = () => {
      kept += 1;
    };
    held.record(span('a', '503'));
    held.record(span('b', '503'));
    held.keep();
    expect(kept).toBe(1);
  });

  test('of one request are 200 at most', () => {
    const { held, names } = hold();
    for (let i = 0; i < 300; i++) held.record(span(`${i}`));
    held.keep();
    expect(names()).toHaveLength(200);
  });
});
