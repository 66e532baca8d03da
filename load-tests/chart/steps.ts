import type { Step } from './time-series.ts';

/** A table of the operations, in the order of their first response. */
export function describeSteps(steps: readonly Step[]): string {
  const rows = [
    ['step', 'requests', 'median', 'p95', 'p99 (ms)'],
    ...steps.map(({ name, requests, p50, p95, p99 }) => [
      name,
      String(requests),
      p50.toFixed(1),
      p95.toFixed(1),
      p99.toFixed(1),
    ]),
  ];
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
