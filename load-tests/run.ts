import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessName } from '@event-api/contracts/topology';
import type { DatabaseUrls } from '@event-api/provisioning/database-urls';
import { readCallerKey } from '@event-api/provisioning/keys';
import { createOperatorClient } from '@event-api/tools/admin/operator-client';
import { openReadAfterStore } from '@event-api/tools/admin/read-after-store';
import { prepareByCommand } from '@event-api/tools/load/prepare-command';
import { type ScenarioName, scenarios } from '@event-api/tools/load/scenarios';
import type { TestData } from '@event-api/tools/load/test-data';
import { describeMemory, readMemory } from '@event-api/tools/platform/memory';
import { startTemporaryPlatform } from '@event-api/tools/platform/temporary-platform';
import { readPlatformFile } from '@event-api/tools/settings/platform-file';
import { readDataDir, root } from '@event-api/tools/settings/settings';
import { type Arguments, parseArguments, USAGE } from './arguments.ts';
import { checkTarget, describeCheck, isSound } from './check.ts';
import { checkInvariantsWhenIdle } from './invariants.ts';
import { findK6 } from './k6.ts';
import { readTestData } from './read-data.ts';
import { runK6 } from './run-k6.ts';

const say = (line: string) => console.log(line);

interface Platform {
  dataDir: string;
  baseUrl: string;
  internalUrls: Record<string, string>;
  redisUrl: string;
  databaseUrls: DatabaseUrls<ProcessName>;
  stop: () => Promise<void>;
}

/**
 * Returns the platform that runs on DATA_DIR. Otherwise starts one in a temporary directory, which
 * is deleted when it stops.
 */
async function findPlatform(): Promise<Platform> {
  const dataDir = readDataDir();
  const running = readPlatformFile(dataDir);
  if (running?.databaseUrls !== undefined) {
    return { ...running, databaseUrls: running.databaseUrls, dataDir, stop: async () => undefined };
  }
  return startTemporaryPlatform({ say });
}

const resultsOf = ({ scenario, run }: Pick<TestData, 'scenario' | 'run'>) =>
  join(root, '.data/load', `${scenario}-${run}`);

/** Runs k6 with the data. Returns whether all thresholds hold. */
async function load(data: TestData, where: { target?: string; payments?: string } = {}) {
  const results = resultsOf(data);
  const k6 = findK6(join(root, '.toolchain'), say);
  const { isPassed, steps } = await runK6({ k6, data, results, ...where });
  say(steps);
  say(`thresholds: ${isPassed ? 'passed' : 'FAILED'}`);
  say(`results: ${results}`);
  return isPassed;
}

/** Prepares the platform on DATA_DIR, runs k6 and checks the data. */
async function runHere({ name, overrides }: Extract<Arguments, { action: 'here' }>) {
  // Before the platform starts: k6 may be missing.
  findK6(join(root, '.toolchain'), say);
  const platform = await findPlatform();
  try {
    const data = await prepareHere(platform, name, overrides);
    const isPassed = await load(data);
    const memory = await readMemory(platform.internalUrls);
    writeFileSync(join(resultsOf(data), 'memory.json'), JSON.stringify(memory, null, 2));
    say(describeMemory(memory));
    const found = await checkInvariantsWhenIdle(platform.databaseUrls);
    writeFileSync(join(resultsOf(data), 'invariants.json'), JSON.stringify(found, null, 2));
    say(describeCheck(found));
    return isPassed && isSound(found);
  } finally {
    await platform.stop();
  }
}

async function prepareHere(
  { dataDir, internalUrls, redisUrl, baseUrl }: Platform,
  name: ScenarioName,
  overrides: Extract<Arguments, { action: 'here' }>['overrides'],
): Promise<TestData> {
  say(`preparing ${name}: ${scenarios[name].summary}`);
  const tokens = await openReadAfterStore(redisUrl);
  const privateJwk = readCallerKey(dataDir, 'admin');
  const operator = await createOperatorClient({ internalUrls, privateJwk, tokens });
  const gateway = { baseUrl: baseUrl.replace('//localhost', '//127.0.0.1'), operator };
  return prepareByCommand(gateway, { scenario: name, isFree: false, ...overrides }).finally(
    tokens.close,
  );
}

/** Runs k6 against a platform elsewhere. Its data is checked there. */
async function runThere({ name, data, ...where }: Extract<Arguments, { action: 'there' }>) {
  const { target, payments } = where;
  const isPassed = await load(readTestData(data, name), {
    ...(target !== undefined && { target }),
    ...(payments !== undefined && { payments }),
  });
  say('check the data where its database is reachable: npm run load -- check');
  return isPassed;
}

async function main(parsed: Arguments): Promise<boolean> {
  if (parsed.action === 'here') return runHere(parsed);
  if (parsed.action === 'there') return runThere(parsed);
  if (parsed.action === 'check') {
    const found = await checkTarget();
    say(describeCheck(found));
    return isSound(found);
  }
  say(USAGE);
  for (const [name, { summary }] of Object.entries(scenarios))
    say(`  ${name.padEnd(16)} ${summary}`);
  return true;
}

try {
  process.exitCode = (await main(parseArguments(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
