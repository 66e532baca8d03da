import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { startTcpProxy } from '@event-api/platform/testing/tcp-proxy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createGatewayDatabase,
  gatewaySecond,
  insertUnseenKey,
  startGateway,
  startUpstream,
  type TestGateway,
} from '../harness.ts';
import { expectEnvelope } from '../raw.ts';

let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let gate: Awaited<ReturnType<typeof startTcpProxy>>;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let gateway: TestGateway;
let now = () => new Date();

beforeAll(async () => {
  database = await createGatewayDatabase();
  gate = await startTcpProxy(database.url);
  upstream = await startUpstream();
  gateway = await startGateway({
    catalogUrl: upstream.url,
    databaseUrl: gate.url,
    clock: { now: () => now() },
  });
});
afterAll(async () => {
  gate?.resume();
  await gateway?.close();
  await gate?.close();
  await upstream?.close();
  await database?.drop();
});

const send = (secret: string) =>
  httpClient(gateway.apiUrl, { authorization: `Bearer ${secret}` })('GET', '/v1/events');

const expiresAt = new Date(Date.now() + 3_600_000);

/**
 * Creates keys of every kind and starts an outage. The gateway does not have the one named
 * `unseen`: it is inserted during the outage, because the gateway loads all keys after a gap in its
 * polls.
 */
async function createKeys(interrupt: () => Promise<void> | void) {
  const seen = await gateway.createKey({ rateLimitPerMinute: 1_000_000 });
  const expiring = await gateway.createKey({ expiresAt: expiresAt.toISOString() });
  const revoked = await gateway.createKey({ rateLimitPerMinute: 1_000_000 });
  for (const { secret } of [seen, expiring, revoked]) expect((await send(secret)).status).toBe(200);
  await interrupt();
  const unseen = { secret: await insertUnseenKey(database.sql) };
  return { seen, expiring, revoked, unseen };
}
type Keys = Awaited<ReturnType<typeof createKeys>>;

async function expectOutageBehavior({ seen, expiring, unseen }: Keys): Promise<void> {
  expect((await send(seen.secret)).status).toBe(200);
  const response = await send(unseen.secret);
  expectEnvelope(response, 503, 'UNAVAILABLE');
  expect(response.headers['retry-after']).toBe('1');
  expect(response.headers['www-authenticate']).toBeUndefined();
  expect((await send(expiring.secret)).status).toBe(200);
  now = () => expiresAt;
  expect((await send(expiring.secret)).status).toBe(401);
  now = () => new Date();
  expect((await send('sk_live_nonsense')).status).toBe(401);
}

/** Revokes a key with SQL, with a time long before the gateway's next poll. */
const revokeLongAgo = ({ revoked }: Keys) =>
  database.sql(
    `update gateway.api_key set revoked_at = now() - interval '1 hour',
       changed_at = now() - interval '1 hour' where id = $1`,
    [revoked.key.id],
  );

async function expectRecovery({ seen, revoked, unseen }: Keys): Promise<void> {
  // Operator requests use the same connections as the gateway's poll.
  await eventually(() => gateway.run('unit.list', {}));
  await gatewaySecond(() => gateway.run('unit.list', {}));
  expect((await send(revoked.secret)).status).toBe(401);
  await eventually(async () => expect((await send(unseen.secret)).status).toBe(200));
  expect((await send(seen.secret)).status).toBe(200);
}

/** Uses a key repeatedly for longer than the gateway's maximum gap between polls. */
async function outlast(keys: Keys): Promise<void> {
  const until = performance.now() + 3000;
  while (performance.now() < until) {
    expect((await send(keys.seen.secret)).status).toBe(200);
    expect((await send(keys.revoked.secret)).status).toBe(200);
  }
}

describe('while the database refuses connections', () => {
  test('serves cached keys until they expire and returns 503 for others; then reads all changes', async () => {
    const keys = await createKeys(gate.cut);
    await expectOutageBehavior(keys);
    const operator = await gateway.operator('POST', '/operator/unit.list', { body: {} });
    expect([operator.status, operator.body.error.status]).toEqual([503, 'UNAVAILABLE']);
    await outlast(keys);
    await revokeLongAgo(keys);
    await gate.open();
    await expectRecovery(keys);
  });

  test('reads all changes after a short outage, too', async () => {
    const keys = await createKeys(gate.cut);
    expectEnvelope(await send(keys.unseen.secret), 503, 'UNAVAILABLE');
    await database.sql(
      'update gateway.api_key set revoked_at = now(), changed_at = now() where id = $1',
      [keys.revoked.key.id],
    );
    await gate.open();
    await expectRecovery(keys);
  });
});

describe('while the database accepts connections and does not respond', () => {
  test('serves cached keys immediately and returns 503 for others within five seconds; then reads all changes', async () => {
    const keys = await createKeys(gate.stall);
    let isUnseenDone = false;
    const unseen = send(keys.unseen.secret).finally(() => {
      isUnseenDone = true;
    });
    // A key that waits for the database gets its response together with the unseen one.
    expect((await send(keys.seen.secret)).status).toBe(200);
    expect(isUnseenDone).toBe(false);
    await unseen;
    // A look-up without a timeout would exceed this in every attempt.
    await eventually(async () => {
      const startedAt = performance.now();
      await expectOutageBehavior(keys);
      expect(performance.now() - startedAt).toBeLessThan(5000);
    });
    await outlast(keys);
    await revokeLongAgo(keys);
    gate.resume();
    await expectRecovery(keys);
  });
});
