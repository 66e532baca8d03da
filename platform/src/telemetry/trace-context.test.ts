import { describe, expect, test } from 'vitest';
import { continueTrace, traceparentOf } from './trace-context.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

describe('continueTrace', () => {
  test.each([
    ['00', false],
    ['01', true],
    ['03', true],
    ['02', false],
  ])('continues a trace with flags %s, independent of its own ratio', (flags, sampled) => {
    for (const ratio of [0, 1]) {
      const trace = continueTrace(`00-${traceId}-${parentId}-${flags}`, ratio);
      expect(trace).toEqual({
        traceId,
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
        parentSpanId: parentId,
        sampled,
      });
      expect(trace.spanId).not.toBe(parentId);
      expect(traceparentOf(trace)).toBe(`00-${traceId}-${trace.spanId}-${sampled ? '01' : '00'}`);
    }
  });

  test.each([
    undefined,
    '',
    'nonsense',
    `00-${traceId}-${parentId}`,
    `00-${traceId}-${parentId}-01-more`,
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
    ['00-x', '00-y'],
  ])('starts a new trace for %s', (header) => {
    const trace = continueTrace(header, 1);
    expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(trace).toMatchObject({ parentSpanId: undefined, sampled: true });
    expect(trace.traceId).not.toBe(traceId);
  });

  test('creates distinct ids', () => {
    const traces = Array.from({ length: 10_000 }, () => continueTrace(undefined, 0));
    expect(new Set(traces.map((trace) => trace.traceId)).size).toBe(traces.length);
    expect(new Set(traces.map((trace) => trace.spanId)).size).toBe(traces.length);
  });

  test.each([0, 0.05, 0.5, 1])('samples a share of %d', (ratio) => {
    const count = 20_000;
    let sampled = 0;
    for (let i = 0; i < count; i++) if (continueTrace(undefined, ratio).sampled) sampled += 1;
    // Six standard deviations at most: wrong once in 500 million runs.
    const tolerance = 6 * Math.sqrt(count * ratio * (1 - ratio));
    expect(Math.abs(sampled - count * ratio)).toBeLessThanOrEqual(tolerance);
  });
});
