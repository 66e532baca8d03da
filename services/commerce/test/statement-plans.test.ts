import { postgresUrl } from '@event-api/platform/testing/servers';
import { findWideScans } from '@event-api/platform/testing/wide-scans';
import { expect, test } from 'vitest';
// Loads every module that declares statements.
import '../src/app.ts';
import { commerceOrm } from '../src/orm.ts';

test('every statement finds its rows by an index that identifies them, also in a new database', async () => {
  const report = await findWideScans(await postgresUrl(), 'commerce', commerceOrm);
  // Few payments are received and not yet applied.
  expect(report.wide).toEqual([
    'settlements_received_of_order: settlement_received (((p.provider = s.provider) AND ((p.session_id = s.session_id) OR ((p.id = s.attempt_id) AND (p.session_id IS NULL)))))',
  ]);
  expect(report.repeated).toEqual([]);
  expect(report.read).toBeGreaterThanOrEqual(20);
});
