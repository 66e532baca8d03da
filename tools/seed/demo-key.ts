import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { createKey, listKeys } from '@event-api/contracts/operator/keys';
import { readTextFile, writePrivateFile } from '@event-api/provisioning/secret-files';
import { type OperatorClient, OperatorRefusal } from '../admin/operator-client.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A working API key of the unit: `wanted`, else the one kept in `dataDir`, else a new one, which is kept there.
 *  It is never used here, so that its rate limit is untouched. Errors: `wanted` was revoked or is another unit's. */
export async function ensureDemoKey(options: {
  dataDir: string;
  operator: OperatorClient;
  businessUnitId: string;
  wanted: string | undefined;
}): Promise<string> {
  const { dataDir, operator, businessUnitId, wanted } = options;
  const file = join(dataDir, 'demo-api-key');
  const { keys } = await operator.call(listKeys, { businessUnitId });
  const isGood = (secret: string) =>
    keys.some((key) => key.revokedAt === null && secret.startsWith(key.displayPrefix));
  const existing = wanted ?? readTextFile(file);
  if (existing && isGood(existing)) return existing;
  const secret = existing || newSecret();
  // Before it exists: a start killed between the two finds it here and makes it then.
  if (wanted === undefined) writePrivateFile(file, secret);
  try {
    await operator.call(createKey, { businessUnitId, name: 'Demo', secret });
    return secret;
  } catch (error) {
    const isTaken = error instanceof OperatorRefusal && error.status === 409;
    if (!isTaken) throw error;
    if (wanted !== undefined) {
      throw new Error('DEMO_API_KEY was revoked or belongs to another unit: choose another secret');
    }
  }
  // The kept one was revoked on purpose: the demo goes on with a new one.
  writePrivateFile(file, '');
  return ensureDemoKey(options);
}

/** Like every API key: `sk_live_` and 32 base62 characters. */
function newSecret(): string {
  const characters = Array.from({ length: 32 }, () => BASE62[randomInt(BASE62.length)]);
  return `sk_live_${characters.join('')}`;
}
