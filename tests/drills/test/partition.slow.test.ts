import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type DrillReport, runDrill } from '../drill.ts';
import { synchronousStandbys } from '../environment/guards.ts';
import { partitionFaults } from '../faults/partitions.ts';
import { reasonAgainstHosts } from '../hosts/requirements.ts';
import { describeReport } from '../report.ts';

const seed = Number(process.env.SEED ?? 1);
const reason = reasonAgainstHosts();
if (reason !== undefined) console.log(`the drills with hosts are skipped: ${reason}`);

const brokenIn = ({ findings }: DrillReport) => findings.filter(({ isBroken }) => isBroken);

/** The primary starts in zone a. */
const names = ['zone a cut off', 'zone b hears no other zone'];

test.skipIf(reason)(
  'no acknowledged write is lost when a zone with the primary is cut off, and another one hears nothing',
  { timeout: 300_000 },
  async () => {
    const faults = names.map((name) => partitionFaults.find((fault) => fault.name === name));
    const report = await runDrill({
      seed,
      seconds: 0,
      onHosts: true,
      faults: faults.filter((fault) => fault !== undefined),
      once: true,
      say: () => {},
    });
    const broken = brokenIn(report);
    if (broken.length > 0) console.log(describeReport(report));
    expect(broken).toEqual([]);
    expect(report.injectedFaults.map(({ fault }) => fault)).toEqual(names);
    expect(report.totals.acknowledgements).toBeGreaterThan(50);
  },
);

test.skipIf(reason)(
  'the drill detects the loss of acknowledged writes when the standbys are asynchronous',
  { timeout: 300_000 },
  async () => {
    const report = await runDrill({
      seed,
      seconds: 0,
      onHosts: true,
      without: [synchronousStandbys],
      settleMs: 1000,
      say: () => {},
    });
    expect(brokenIn(report).map(({ promise }) => promise)).toContain('history');
  },
);

test.skipIf(reason)('a drill leaves no namespace and no interface behind', () => {
  const own = `event-api-drill-${process.pid}-`;
  expect(spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' }).stdout).not.toContain(own);
  expect(spawnSync('ip', ['-br', 'link'], { encoding: 'utf8' }).stdout).not.toContain(
    `drill${process.pid}`,
  );
});
