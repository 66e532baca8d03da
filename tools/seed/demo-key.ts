import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { type Cell, cellMark } from '@event-api/contracts/cells';
import { createKey, listKeys } from '@event-api/contracts/operator/keys';
import { getUnit } from '@event-api/contracts/operator/units';
import { readTextFile, writePrivateFile } from '@event-api/provisioning/secret-files';
import { type OperatorClient, OperatorError } from '../admin/operator-client.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Returns an active API key of the unit: `wanted`, else the key stored in `dataDir`, else a new
 * key, which is stored there. Seeding does not use this key, so its rate limit stays unused.
 * Errors: `wanted` was revoked or belongs to another unit.
 */
export async function ensureDemoKey(options: {
  dataDir: string;
  operator: OperatorClient;
  businessUnitId: string;
  wanted: string | undefined;
}): Promise<string> {
  const { dataDir, operator, businessUnitId, wanted } = options;
  const file = join(dataDir, 'demo-api-key');
  const { keys } = await operator.call(listKeys, { businessUnitId });
  const isActive = (secret: string) =>
    keys.some((key) => key.revokedAt === null && secret.startsWith(key.displayPrefix));
  const existing = wanted ?? readTextFile(file);
  if (existing && isActive(existing)) return existing;
  const { cell } = await operator.call(getUnit, { businessUnitId });
  const secret = existing || generateSecret(cell);
  // Stored before it is created: after a kill between the two steps, the next start creates the
  // stored key.
  if (wanted === undefined) writePrivateFile(file, secret);
  try {
    await operator.call(createKey, { businessUnitId, name: 'Demo', secret });
    return secret;
  } catch (error) {
    const isTaken = error instanceof OperatorError && error.status === 409;
    if (!isTaken) throw error;
    if (wanted !== undefined) {
      throw new Error('DEMO_API_KEY was revoked or belongs to another unit: choose another secret');
    }
  }
  // The stored key was revoked: create a new one.
  writePrivateFile(file, '');
  return ensureDemoKey(options);
}

/** The format of all API keys: `sk_live_`, the cell if it has a name, and 32 base62 characters. */
function generateSecret(cell: Cell): string {
  const characters = Array.from({ length: 32 }, () => BASE62[randomInt(BASE62.length)]);
  return `sk_live_${cellMark(cell)}${characters.join('')}`;
}
