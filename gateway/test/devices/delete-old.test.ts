import { openDatabase } from '@event-api/platform/db/database';
import { expect, test } from 'vitest';
import { deleteOldDevices } from '../../src/devices/devices.queries.ts';
import { gatewayOrm } from '../../src/orm.ts';
import { gateway, newCode, newDevice, useDevices } from './context.ts';

useDevices();

test('credentials of devices are deleted 30 days after they have expired, and keys stay', async () => {
  const expire = (condition: string, days: number) =>
    gateway.sql?.(
      `update gateway.api_key set expires_at = now() - $1 * interval '1 day' where ${condition}`,
      [days],
    );
  const old = await newDevice();
  await gateway.createKey();
  await expire('true', 30.01);
  const recent = await newDevice();
  await expire(`business_unit_id = '${recent.unitId}'`, 29.99);
  const waiting = await newCode();
  const idsOf = async () =>
    (await gateway.sql?.(
      'select business_unit_id as unit, kind from gateway.api_key order by created_at',
    )) as { unit: string; kind: string }[];
  const before = await idsOf();
  const db = await openDatabase(gatewayOrm(gateway.databaseUrl), 1);
  await deleteOldDevices(db);
  await db.close();
  const left = await idsOf();
  expect(left).toEqual(before.filter(({ unit }) => unit !== old.unitId));
  expect(left.map(({ kind }) => kind)).toEqual(['key', 'pairing', 'device', 'pairing']);
  expect(left.at(-1)?.unit).toBe(waiting.unitId);
});
