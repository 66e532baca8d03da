import type { DrillReport } from './drill.ts';

const seconds = (ms: number) => (ms / 1000).toFixed(1);

/** The report as a person reads it: what was asked and answered, what was broken and for how long, what holds. */
export function describeReport(report: DrillReport): string {
  const { responses, injectedFaults, findings, totals, alarms } = report;
  const broken = findings.filter(({ isBroken }) => isBroken);
  return [
    '',
    'answers by operation and status',
    ...Object.entries(responses).map(
      ([operation, counts]) =>
        `  ${operation.padEnd(22)} ${Object.entries(counts)
          .map(([status, count]) => `${status}: ${count}`)
          .join('  ')}`,
    ),
    `  ${totals.responses} in all, ${totals.acknowledged} definite, ${totals.unknown} requests never decided, ${totals.acknowledgements} facts`,
    '',
    'faults: when, how long, how long until all worked again',
    ...injectedFaults.map(
      ({ fault, beganAt, restoredAt, recoveryMs, failure }) =>
        `  ${seconds(beganAt).padStart(6)} s ${seconds(restoredAt - beganAt).padStart(6)} s ${seconds(recoveryMs).padStart(6)} s  ${fault}${failure ? `  FAILED: ${failure}` : ''}`,
    ),
    '',
    `promises (seats were looked at ${totals.sampleCount} times)`,
    ...findings.flatMap(({ title, promise, isBroken, rows }) => [
      `  ${isBroken ? 'BROKEN' : 'ok    '} ${promise.padEnd(8)} ${title}`,
      ...rows.map((row) => `           ${JSON.stringify(row)}`),
    ]),
    ...(alarms.length > 0
      ? ['', 'alarms and errors in the logs', ...alarms.map((line) => `  ${line.slice(0, 400)}`)]
      : []),
    '',
    broken.length === 0
      ? `all ${findings.length} promises held; seed ${report.seed}`
      : `${broken.length} of ${findings.length} promises were broken; seed ${report.seed}`,
  ].join('\n');
}
