import type { DrillReport } from './drill.ts';
import type { Loss } from './history/loss.ts';

const seconds = (ms: number) => (ms / 1000).toFixed(1);

/** `0`, or how many records and in which time they were acknowledged. */
export function describeLoss({ records, byKind, spanMs }: Loss): string {
  if (records === 0) return '0';
  const kinds = Object.entries(byKind).map(([kind, count]) => `${kind} ${count}`);
  return `${records} of ${seconds(spanMs)} s (${kinds.join(', ')})`;
}

/** Formats the report as text: responses, faults with their duration, results of the checks. */
export function describeReport(report: DrillReport): string {
  const { responses, injectedFaults, machineStalls, findings, totals, alarms } = report;
  const broken = findings.filter(({ isBroken }) => isBroken);
  return [
    '',
    'responses by operation and status',
    ...Object.entries(responses).map(
      ([operation, counts]) =>
        `  ${operation.padEnd(22)} ${Object.entries(counts)
          .map(([status, count]) => `${status}: ${count}`)
          .join('  ')}`,
    ),
    `  ${totals.responses} in total, ${totals.acknowledged} definite, ${totals.unknown} requests undecided, ${totals.acknowledgements} acknowledgements`,
    '',
    'faults: start, duration, recovery time with its commands (RTO), lost acknowledged records (RPO)',
    ...injectedFaults.map(
      ({ fault, beganAt, restoredAt, rtoMs, loss, failure }) =>
        `  ${seconds(beganAt).padStart(6)} s ${seconds(restoredAt - beganAt).padStart(6)} s ${seconds(rtoMs).padStart(6)} s ${describeLoss(loss).padStart(6)}  ${fault}${failure ? `  FAILED: ${failure}` : ''}`,
    ),
    ...machineStalls.map(
      ({ beganAt, ms }) =>
        `  ${seconds(beganAt).padStart(6)} s ${seconds(ms).padStart(6)} s                  the machine stalled, not injected`,
    ),
    '',
    `checks (seats sampled ${totals.sampleCount} times, ${totals.changes} changes of the feed, ${totals.feedResets} resets)`,
    ...findings.flatMap(({ title, promise, isBroken, rows }) => [
      `  ${isBroken ? 'FAILED' : 'ok    '} ${promise.padEnd(9)} ${title}`,
      ...rows.map((row) => `           ${JSON.stringify(row)}`),
    ]),
    ...(alarms.length > 0
      ? ['', 'alarms and errors in the logs', ...alarms.map((line) => `  ${line.slice(0, 400)}`)]
      : []),
    '',
    broken.length === 0
      ? `all ${findings.length} checks passed; seed ${report.seed}`
      : `${broken.length} of ${findings.length} checks failed; seed ${report.seed}`,
  ].join('\n');
}
