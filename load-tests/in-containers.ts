import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCallerKey } from '@event-api/provisioning/keys';
import { createOperatorClient } from '@event-api/tools/admin/operator-client';
import { openReadAfterStore } from '@event-api/tools/admin/read-after-store';
import { readPlatformFile } from '@event-api/tools/settings/platform-file';
import { readDataDir } from '@event-api/tools/settings/settings';
import { checkInvariantsWhenIdle } from './invariants.ts';
import { prepare } from './prepare.ts';
import { scenarioOf } from './scenarios.ts';

// The steps of run.ts before (`prepare`) and after (`check`) k6, for Compose, where k6 is a
// container.
const { SCENARIO = 'smoke', LOAD_DIR = '/run/load', DATABASE_URL = '' } = process.env;

async function prepareRun(): Promise<void> {
  const dataDir = readDataDir();
  const platform = readPlatformFile(dataDir);
  if (platform === undefined) throw new Error('DATA_DIR contains no platform file');
  const tokens = await openReadAfterStore(platform.redisUrl);
  const privateJwk = readCallerKey(dataDir, 'admin');
  const { baseUrl, internalUrls } = platform;
  const operator = await createOperatorClient({ internalUrls, privateJwk, tokens });
  const run = process.hrtime.bigint().toString(36);
  const testData = await prepare(scenarioOf(SCENARIO), {
    baseUrl,
    operator,
    run,
    results: LOAD_DIR,
  });
  writeFileSync(join(LOAD_DIR, 'test-data.json'), JSON.stringify(testData));
  tokens.close();
}

async function check(): Promise<void> {
  const { checked, broken } = await checkInvariantsWhenIdle(DATABASE_URL);
  console.log(JSON.stringify({ checked, broken }));
  if (checked === 0 || Object.keys(broken).length > 0) process.exitCode = 1;
}

await (process.argv[2] === 'check' ? check() : prepareRun());
