import { postgresUrl } from '@event-api/platform/testing/servers';
import { findWideScans } from '@event-api/platform/testing/wide-scans';
import { expect, test } from 'vitest';
// Loads every module that declares statements.
import '../src/app.ts';
import { registrationOrm } from '../src/orm.ts';

test('every statement finds its rows by an index that identifies them, also in a new database', async () => {
  const report = await findWideScans(await postgresUrl(), 'registration', registrationOrm);
  expect(report.wide).toEqual([]);
  expect(report.repeated).toEqual([]);
  expect(report.read).toBeGreaterThanOrEqual(20);
});
