import { maxKeys } from '@event-api/contracts/operator/keys';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createGatewayDatabase,
  startGateway,
  startUpstream,
  type TestGateway,
} from '../harness.ts';

let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createGatewayDatabase();
  upstream = await startUpstream();
  gateway = await startGateway({ catalogUrl: upstream.url, databaseUrl: database.url });
});
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
  await database?.drop();
});

const createKey = (businessUnitId: string) =>
  gateway.operator('POST', '/operator/key.create', { body: { businessUnitId, name: 'Key' } });

const tooMany = [412, [{ reason: 'TOO_MANY_KEYS', limit: maxKeys }]];
const reasonOf = ({ status, body }: Awaited<ReturnType<typeof createKey>>) => [
  status,
  body.error?.details,
];

/** A unit that may have `left` more keys; its other keys are named `Filler`. */
async function unitWithPlaces(left: number) {
  const unit = await gateway.run('unit.create', { name: 'Unit' });
  await database.sql(
    `insert into gateway.api_key (id, business_unit_id, name, secret_hash, display_prefix, version)
     select 'key_' || $1 || i, $1, 'Filler', $1 || i, 'sk_live_', '2026-08-22'
     from generate_series(1, $2) i`,
    [unit.id, maxKeys - left],
  );
  return unit.id as string;
}

test('concurrent calls create as many keys as the business unit has places left', async () => {
  const unitId = await unitWithPlaces(3);
  const responses = await Promise.all(Array.from({ length: 12 }, () => createKey(unitId)));
  const refused = responses.filter(({ status }) => status !== 201);
  expect(refused.map(reasonOf)).toEqual(Array(9).fill(tooMany));
});

test('a revoked key and an expired one leave their places, and another unit has its own', async () => {
  const unitId = await unitWithPlaces(1);
  const { body: last } = await createKey(unitId);
  expect(reasonOf(await createKey(unitId))).toEqual(tooMany);
  await gateway.run('key.revoke', { id: last.id });
  const { body: next, status } = await createKey(unitId);
  expect(status).toBe(201);
  await database.sql(`update gateway.api_key set expires_at = '2020-01-01' where id = $1`, [
    next.id,
  ]);
  expect((await createKey(unitId)).status).toBe(201);
  expect((await createKey(await unitWithPlaces(1))).status).toBe(201);
});

test('an expired key gets another expiry only when there is a place for it', async () => {
  const unitId = await unitWithPlaces(1);
  const { body: key } = await createKey(unitId);
  await database.sql(`update gateway.api_key set expires_at = '2020-01-01' where id = $1`, [
    key.id,
  ]);
  const { body: other } = await createKey(unitId);
  const extend = () =>
    gateway.operator('POST', '/operator/key.update', { body: { id: key.id, expiresAt: null } });
  expect(reasonOf(await extend())).toEqual(tooMany);
  await gateway.run('key.revoke', { id: other.id });
  expect((await extend()).status).toBe(200);
});
