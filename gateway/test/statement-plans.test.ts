import { postgresUrl } from '@event-api/platform/testing/servers';
import { findWideScans } from '@event-api/platform/testing/wide-scans';
import { expect, test } from 'vitest';
// Loads every module that declares statements.
import '../src/app.ts';
import { gatewayOrm } from '../src/orm.ts';

test('every statement finds its rows by an index that identifies them, also in a new database', async () => {
  const report = await findWideScans(await postgresUrl(), 'gateway', gatewayOrm);
  // A business unit has few keys and devices.
  expect(report.wide).toEqual([
    'device_by_id: api_key_of_unit (((k.device_id IS NOT NULL) AND (k.device_id = $2)))',
    'device_lock: api_key_of_unit ((api_key.device_id = $2))',
    'device_revoke: api_key_of_unit (((api_key.revoked_at IS NULL) AND (api_key.device_id = $2)))',
  ]);
  expect(report.repeated).toEqual([]);
  expect(report.read).toBeGreaterThanOrEqual(5);
});
