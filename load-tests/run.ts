import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCallerKey } from '@event-api/provisioning/keys';
import { createOperatorClient } from '@event-api/tools/admin/operator-client';
import { openReadAfterStore } from '@event-api/tools/admin/read-after-store';
import { describeMemory, readMemory } from '@event-api/tools/platform/memory';
import { startTemporaryPlatform } from '@event-api/tools/platform/temporary-platform';
import { readPlatformFile } from '@event-api/tools/settings/platform-file';
import { readDataDir, root } from '@event-api/tools/settings/settings';
import { renderChart } from './chart.ts';
import { checkInvariantsWhenIdle } from './invariants.ts';
import { findK6 } from './k6.ts';
import { prepare } from './prepare.ts';
import { type Scenario, scenarioOf, scenarios } from './scenarios.ts';
import { readSeconds } from './time-series.ts';

const say = (line: string) => console.log(line);

interface Target {
  dataDir: string;
  baseUrl: string;
  internalUrls: Record<string, string>;
  redisUrl: string;
  databaseUrl: string;
  stop: () => Promise<void>;
}

/**
 * Returns the platform that runs on DATA_DIR. Otherwise starts one in a temporary directory, which
 * is deleted when it stops.
 */
async function findTarget(): Promise<Target> {
  const dataDir = readDataDir();
  const running = readPlatformFile(dataDir);
  if (running?.databaseUrl !== undefined) {
    return { ...running, databaseUrl: running.databaseUrl, dataDir, stop: async () => undefined };
  }
  return startTemporaryPlatform({ say });
}

/** Runs one scenario against `target`. Returns whether all thresholds and invariants hold. */
async function run(name: string, scenario: Scenario, k6: string, target: Target): Promise<boolean> {
  const stamp = process.hrtime.bigint().toString(36);
  const results = join(root, '.data/load', `${name}-${stamp}`);
  mkdirSync(results, { recursive: true });
  const tokens = await openReadAfterStore(target.redisUrl);
  const operator = await createOperatorClient({
    internalUrls: target.internalUrls,
    privateJwk: readCallerKey(target.dataDir, 'admin'),
    tokens,
  });
  const baseUrl = target.baseUrl.replace('//localhost', '//127.0.0.1');
  say(`preparing ${name}: ${scenario.summary}`);
  const testData = await prepare(scenario, { baseUrl, operator, run: stamp, results }).finally(
    tokens.close,
  );
  const file = join(import.meta.dirname, 'scenarios', `${name}.ts`);
  const samples = join(results, 'samples.csv');
  const env = {
    ...process.env,
    TEST_DATA: JSON.stringify(testData),
    K6_NO_USAGE_REPORT: 'true',
    K6_CSV_TIME_FORMAT: 'unix_milli',
  };
  const out = ['--out', `csv=${samples}`];
  const { status } = spawnSync(k6, ['run', '--quiet', ...out, file], { env, stdio: 'inherit' });
  const title = `${name}: ${scenario.summary}`;
  writeFileSync(join(results, 'latency.svg'), renderChart(title, await readSeconds(samples)));
  // The chart, JSON and JUnit remain; the samples of a long run would fill the disk.
  rmSync(samples);
  const memory = await readMemory(target.internalUrls);
  writeFileSync(join(results, 'memory.json'), JSON.stringify(memory, null, 2));
  say(describeMemory(memory));
  const { checked, broken } = await checkInvariantsWhenIdle(target.databaseUrl);
  writeFileSync(join(results, 'invariants.json'), JSON.stringify({ checked, broken }, null, 2));
  for (const [title, rows] of Object.entries(broken))
    say(`VIOLATED: ${title} ${JSON.stringify(rows)}`);
  say(
    `thresholds: ${status === 0 ? 'passed' : 'FAILED'}; invariants: ${checked} checked, ${Object.keys(broken).length} violated`,
  );
  say(`results: ${results}`);
  return status === 0 && checked > 0 && Object.keys(broken).length === 0;
}

const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rate: { type: 'string' }, seconds: { type: 'string' }, buyers: { type: 'string' } },
});
const [name] = positionals;
if (name === undefined) {
  say('npm run load -- <scenario> [--rate n] [--seconds n] [--buyers n]');
  for (const [each, { summary }] of Object.entries(scenarios))
    say(`  ${each.padEnd(16)} ${summary}`);
} else {
  let target: Target | undefined;
  try {
    const overrides = {
      rate: number(values.rate),
      seconds: number(values.seconds),
      buyers: number(values.buyers),
    };
    const scenario = scenarioOf(name, overrides);
    const k6 = findK6(join(root, '.toolchain'), say);
    target = await findTarget();
    process.exitCode = (await run(name, scenario, k6, target)) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  } finally {
    await target?.stop();
  }
}
