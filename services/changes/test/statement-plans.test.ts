import { postgresUrl } from '@event-api/platform/testing/servers';
import { findWideScans } from '@event-api/platform/testing/wide-scans';
import { expect, test } from 'vitest';
// Loads every module that declares statements.
import '../src/app.ts';
import { changesOrm } from '../src/orm.ts';

test('every statement finds its rows by an index that identifies them, also in a new database', async () => {
  const report = await findWideScans(await postgresUrl(), 'changes', changesOrm);
  // The first has one row per business unit, and runs for a cursor that is wrong. For the second, two
  // indexes begin with the business unit, and without rows they cost the same. It is rare.
  expect(report.wide).toEqual([
    'feed_epoch_of_other_unit: feed_head (((feed_head.business_unit_id <> $1) AND (feed_head.epoch = $2)))',
    'feed_sequence_of_change: feed_change_of_object ((feed_change.id = $2))',
  ]);
  expect(report.repeated).toEqual([]);
  expect(report.read).toBeGreaterThanOrEqual(20);
});
