import { spawnSync } from 'node:child_process';
import { releaseProgram } from '@event-api/local-servers/program-releases';
import { ProgramsMissingError } from '@event-api/local-servers/programs';
import { expect, type TestContext, test } from 'vitest';
import { type DrillReport, runDrill } from '../drill.ts';
import { synchronousStandbys } from '../environment/guards.ts';
import { partitionFaults } from '../faults/partitions.ts';
import { reasonAgainstHosts } from '../hosts/requirements.ts';
import { describeReport } from '../report.ts';

const seed = Number(process.env.SEED ?? 1);

/** Without root, the tools of the network, or a release of NATS the test is skipped. */
async function requireHosts(context: TestContext): Promise<void> {
  const reason = reasonAgainstHosts();
  if (reason !== undefined) context.skip(reason);
  try {
    await releaseProgram('nats-2.15', console.error);
  } catch (error) {
    if (!(error instanceof ProgramsMissingError)) throw error;
    context.skip(error.message);
  }
}

const brokenIn = ({ findings }: DrillReport) => findings.filter(({ isBroken }) => isBroken);

/** The primary starts in zone a. */
const names = ['zone a cut off', 'zone b hears no other zone'];

test('no acknowledged write is lost when a zone with the primary is cut off, and another one hears nothing', {
  timeout: 300_000,
}, async (context) => {
  await requireHosts(context);
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
});

test('the drill detects the loss of acknowledged writes when the standbys are asynchronous', {
  timeout: 300_000,
}, async (context) => {
  await requireHosts(context);
  const report = await runDrill({
    seed,
    seconds: 0,
    onHosts: true,
    without: [synchronousStandbys],
    settleMs: 1000,
    say: () => {},
  });
  expect(brokenIn(report).map(({ promise }) => promise)).toContain('history');
});

test('a drill leaves no namespace and no interface behind', async (context) => {
  await requireHosts(context);
  const own = `event-api-drill-${process.pid}-`;
  expect(spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' }).stdout).not.toContain(own);
  expect(spawnSync('ip', ['-br', 'link'], { encoding: 'utf8' }).stdout).not.toContain(
    `drill${process.pid}`,
  );
});
