import { expect, test } from 'vitest';
import { runDrill } from '../drill.ts';
import { namedDrill } from '../named.ts';
import { describeReport } from '../report.ts';
import { commandsOfSection } from './runbook-section.ts';

const seed = Number(process.env.SEED ?? 1);
const intervalSeconds = 5;
/** A segment is archived a moment after it has ended, later on a busy machine. */
const ARCHIVING_MS = 10_000;

test('a lost region is restored from backups elsewhere, and loses the last archive interval at most', {
  timeout: 600_000,
}, async () => {
  const options = { ...namedDrill('region'), withBackups: { intervalSeconds } };
  const report = await runDrill({ ...options, seed, seconds: 0, say: () => {} });
  if (report.isBroken) console.log(describeReport(report));
  expect(report.findings.filter(({ isBroken }) => isBroken)).toEqual([]);
  const [region] = report.injectedFaults;
  // Proves that the region was lost while clients wrote.
  expect(region?.loss.records).toBeGreaterThan(0);
  expect(region?.loss.spanMs).toBeLessThan(intervalSeconds * 1000 + ARCHIVING_MS);
  expect(region?.rtoMs).toBeGreaterThan(0);
  expect(report.commands).toEqual(commandsOfSection('The region is lost'));
});
