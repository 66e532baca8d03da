import { expect, test } from 'vitest';
import { decideReport, type Repetition, reportRepeated } from './repeated-failures.ts';

/** The seconds at which failures are reported that happen at these seconds. */
function reportedAt(seconds: number[]): number[] {
  let repetition: Repetition | null = null;
  return seconds.filter((second) => {
    const decision = decideReport(repetition, second * 1000);
    repetition = decision.next;
    return decision.kind === 'report';
  });
}

const everySecond = (until: number) => Array.from({ length: until + 1 }, (_, second) => second);

test.each([
  { title: 'every second', failures: everySecond(200), reported: [0, 10, 30, 70, 150] },
  { title: 'once', failures: [5], reported: [5] },
  { title: 'a second outage after a quiet minute', failures: [0, 1, 62], reported: [0, 62] },
  { title: 'a second failure within a quiet minute', failures: [0, 59, 60], reported: [0, 59] },
])('reports failures at a decreasing rate: $title', ({ failures, reported }) => {
  expect(reportedAt(failures)).toEqual(reported);
});

test('reports a failure of many hours once per hour', () => {
  const failures = Array.from({ length: 24 * 60 }, (_, minute) => minute * 60);
  const reported = reportedAt(failures);
  expect(reported.length).toBeLessThan(40);
  expect(24 * 3600 - (reported.at(-1) ?? 0)).toBeLessThanOrEqual(3600);
});

test('counts the failures that were not reported', () => {
  let decision = decideReport(null, 0);
  for (const now of [1000, 2000, 10_000]) decision = decideReport(decision.next, now);
  expect(decision).toMatchObject({ kind: 'report', suppressed: 2, next: { suppressed: 0 } });
});

test('writes the first failure of many', () => {
  const written: unknown[] = [];
  const report = reportRepeated((error) => written.push(error));
  for (const failure of ['first', 'second', 'third']) report(failure);
  expect(written).toEqual(['first']);
});
