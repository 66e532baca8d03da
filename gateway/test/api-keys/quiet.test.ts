import { createActivity } from '@event-api/platform/core/activity';
import { systemClock } from '@event-api/platform/core/clock';
import { createLogger } from '@event-api/platform/core/log';
import { type Database, openDatabase } from '@event-api/platform/db/database';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiKeyCache, createApiKeyCache } from '../../src/api-keys/authenticate.ts';
import { gatewayOrm } from '../../src/orm.ts';
import { createGatewayDatabase, gatewaySecond, insertUnseenKey } from '../harness.ts';

let now = 0;
const activity = createActivity(() => now, 1);
let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let db: Database;
let keys: ApiKeyCache;

beforeAll(async () => {
  database = await createGatewayDatabase();
  db = await openDatabase(gatewayOrm(database.url), 2);
  now += 1;
  keys = createApiKeyCache({
    db,
    clock: systemClock,
    log: createLogger({ service: 'gateway', level: 'silent' }),
    metrics: createMetrics('gateway'),
    activity,
    catchUpMs: 30_000,
  });
});
afterAll(async () => {
  await keys?.close();
  await db?.close();
  await database?.drop();
});

test('the first request after a quiet time waits for a poll and sees a revocation', async () => {
  const secret = await insertUnseenKey(database.sql);
  const outcome = async () => (await keys.authenticate(`Bearer ${secret}`)).outcome;
  await expect.poll(outcome).toBe('valid');
  await database.sql('update gateway.api_key set revoked_at = now(), changed_at = now()');
  await gatewaySecond(() => database.sql('select 1'));
  // Nothing has polled meanwhile, so without the activity the cached key would be used.
  expect(await outcome()).toBe('valid');
  activity.note();
  expect(await outcome()).toBe('invalid');
});
