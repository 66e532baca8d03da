import { join } from 'node:path';
import { createKey, listKeys, revokeKey } from '@event-api/contracts/operator/keys';
import { createUnit, listUnits } from '@event-api/contracts/operator/units';
import { readTextFile, writePrivateFile } from '@event-api/provisioning/secret-files';
import type { OperatorClient } from '../admin/operator-client.ts';
import type { Progress } from '../terminal/progress.ts';
import { createApiClient } from './api-client.ts';
import { ensureDemoKey } from './demo-key.ts';
import { seedConference } from './seed-conference.ts';

const UNIT = 'Demo';
const SEEDING_KEY = 'Seeding';

/** Makes the unit Demo, its key and one conference, through the operations that operators and integrators have, and
 *  answers the key's secret. A later start changes nothing of it; one that was interrupted is completed. */
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
  // Names the unit: with another database behind the same folder there is another Demo to fill.
  const doneFile = join(dataDir, 'seeded');
  if (readTextFile(doneFile) === businessUnitId) return secret;
  await progress.during('making the demo conference', () =>
    withSeedingKey(operator, businessUnitId, (seedingSecret) =>
      seedConference(createApiClient(gatewayUrl, seedingSecret), operator, businessUnitId),
    ),
  );
  writePrivateFile(doneFile, businessUnitId);
  return secret;
}

async function ensureUnit(operator: OperatorClient): Promise<string> {
  const { units } = await operator.call(listUnits, {});
  const demo = units.find(({ name }) => name === UNIT);
  return (demo ?? (await operator.call(createUnit, { name: UNIT }))).id;
}

/** With a key of its own the seeding takes nothing from the demo key's requests per minute. */
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
