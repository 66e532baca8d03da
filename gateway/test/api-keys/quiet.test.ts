import { createActivity } from '@event-api/platform/core/activity';
import { systemClock } from '@event-api/platform/core/clock';
import { createLogger } from '@event-api/platform/core/log';
import { type Database, openDatabase } from '@event-api/platform/db/database';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKeyCache } from '../../src/api-keys/authenticate.ts';
import { gatewayOrm } from '../../src/orm.ts';
import { createGatewayDatabase, gatewaySecond, insertUnseenKey } from '../harness.ts';

let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await createGatewayDatabase();
  db = await openDatabase(gatewayOrm(database.url), 2);
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

/**
 * Revokes a key while the gateway is quiet. Returns the outcome of a request before and after the
 * gateway notices the activity.
 */
async function revokeWhileQuiet(): Promise<string[]> {
  let now = 0;
  const activity = createActivity(() => now, 1);
  now += 1;
  const keys = createApiKeyCache({
    db,
    clock: systemClock,
    log: createLogger({ service: 'gateway', level: 'silent' }),
    metrics: createMetrics('gateway'),
    activity,
    catchUpMs: 30_000,
  });
  try {
    const secret = await insertUnseenKey(database.sql);
    const outcome = async () => (await keys.authenticate(`Bearer ${secret}`)).outcome;
    await expect.poll(outcome).toBe('valid');
    await database.sql('update gateway.api_key set revoked_at = now(), changed_at = now()');
    await gatewaySecond(() => database.sql('select 1'));
    const before = await outcome();
    activity.note();
    return [before, await outcome()];
  } finally {
    await keys.close();
  }
}

test('the first request after a quiet time waits for a poll and sees a revocation', async () => {
  // Without the activity the cached key is used, unless one of the seldom polls has come first:
  // then the race is repeated.
  await eventually(async () => expect(await revokeWhileQuiet()).toEqual(['valid', 'invalid']));
});
