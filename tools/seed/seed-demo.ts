import { join } from 'node:path';
import { createClient } from '@event-api/client';
import { createKey, listKeys, revokeKey } from '@event-api/contracts/operator/keys';
import { createUnit, listUnits } from '@event-api/contracts/operator/units';
import { readTextFile, writePrivateFile } from '@event-api/provisioning/secret-files';
import type { OperatorClient } from '../admin/operator-client.ts';
import type { Progress } from '../terminal/progress.ts';
import { ensureDemoKey } from './demo-key.ts';
import { seedConference } from './seed-conference.ts';

/** The name of the business unit with the demo data. */
export const demoUnitName = 'Demo';
const SEEDING_KEY = 'Seeding';

/**
 * Creates the business unit Demo, its API key and one conference with the operations of operators
 * and integrators. Returns the key's secret. A later call completes an interrupted one and
 * otherwise changes nothing.
 */
export async function seedDemo(options: {
  dataDir: string;
  operator: OperatorClient;
  gatewayUrl: string;
  demoKey: string | undefined;
  progress: Progress;
}): Promise<string> {
  const { dataDir, operator, gatewayUrl, progress } = options;
  const businessUnitId = await ensureUnit(operator);
  const secret = await ensureDemoKey({
    dataDir,
    operator,
    businessUnitId,
    wanted: options.demoKey,
  });
  // The file contains the unit's id: with another database the demo data is created again.
  const doneFile = join(dataDir, 'seeded');
  if (readTextFile(doneFile) === businessUnitId) return secret;
  await progress.during('creating the demo conference', () =>
    withSeedingKey(operator, businessUnitId, (seedingSecret) =>
      seedConference(
        createClient({ baseUrl: gatewayUrl, apiKey: seedingSecret }),
        operator,
        businessUnitId,
      ),
    ),
  );
  writePrivateFile(doneFile, businessUnitId);
  return secret;
}

async function ensureUnit(operator: OperatorClient): Promise<string> {
  const { units } = await operator.call(listUnits, {});
  const demo = units.find(({ name }) => name === demoUnitName);
  return (demo ?? (await operator.call(createUnit, { name: demoUnitName }))).id;
}

/** Seeding uses a separate key, so that the rate limit of the demo key stays unused. */
async function withSeedingKey(
  operator: OperatorClient,
  businessUnitId: string,
  work: (secret: string) => Promise<void>,
): Promise<void> {
  await revokeSeedingKeys(operator, businessUnitId);
  const key = await operator.call(createKey, {
    businessUnitId,
    name: SEEDING_KEY,
    rateLimitPerMinute: 100_000,
  });
  await work(key.secret);
  await revokeSeedingKeys(operator, businessUnitId);
}

async function revokeSeedingKeys(operator: OperatorClient, businessUnitId: string): Promise<void> {
  const { keys } = await operator.call(listKeys, { businessUnitId });
  for (const { id, name, revokedAt } of keys) {
    if (name === SEEDING_KEY && revokedAt === null) await operator.call(revokeKey, { id });
  }
}
