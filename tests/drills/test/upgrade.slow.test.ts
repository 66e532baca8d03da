import { postgresPrograms, releaseProgram } from '@event-api/local-servers/program-releases';
import { ProgramsMissingError } from '@event-api/local-servers/programs';
import { expect, type TestContext, test } from 'vitest';
import { runDrill } from '../drill.ts';
import { namedDrill } from '../named.ts';
import { describeReport } from '../report.ts';

const seed = Number(process.env.SEED ?? 1);
const options = { timeout: 1_200_000 };

/** Installs every program. Where a registry or its client is missing, the test is skipped. */
async function requirePrograms(context: TestContext): Promise<void> {
  try {
    for (const major of [17, 18] as const) await postgresPrograms(major, console.error);
    for (const release of ['nats-2.12', 'nats-2.15', 'valkey-9', 'node-26'] as const)
      await releaseProgram(release, console.error);
  } catch (error) {
    if (!(error instanceof ProgramsMissingError)) throw error;
    context.skip(error.message);
  }
}

async function expectNothingLost(name: 'upgrade' | 'upgrade-cluster'): Promise<void> {
  const drill = namedDrill(name);
  const report = await runDrill({ ...drill, seed, seconds: 0, calmMs: 600, say: () => {} });
  if (report.isBroken) console.log(describeReport(report));
  expect(report.findings.filter(({ isBroken }) => isBroken)).toEqual([]);
  expect(report.injectedFaults).toHaveLength(drill.faults?.length ?? 0);
  expect(report.totals.acknowledgements).toBeGreaterThan(100);
  // The server has kept its history: no reader of the feed begins again.
  expect(report.totals.feedResets).toBe(0);
}

test('PostgreSQL, NATS, Redis and Node are upgraded as with Compose', options, async (context) => {
  await requirePrograms(context);
  await expectNothingLost('upgrade');
});

test.runIf(process.env.TEST_SIZE === 'full')(
  'PostgreSQL, NATS, Redis and Node are upgraded as in a cluster',
  options,
  async (context) => {
    await requirePrograms(context);
    await expectNothingLost('upgrade-cluster');
  },
);
