import { postgresUrl } from '@event-api/platform/testing/servers';
import { findWideScans } from '@event-api/platform/testing/wide-scans';
import { expect, test } from 'vitest';
// Loads every module that declares statements.
import '../src/app.ts';
import { onsiteOrm } from '../src/orm.ts';

test('every statement finds its rows by an index that identifies them, also in a new database', async () => {
  const report = await findWideScans(await postgresUrl(), 'onsite', onsiteOrm);
  // An event has few sessions.
  expect(report.wide).toEqual([
    'sessions_of_venue: session_in_time_order ((s.venue_id = $3))',
    'venue_leave_sessions: session_in_time_order ((s.venue_id = $3))',
  ]);
  expect(report.repeated).toEqual([]);
  expect(report.read).toBeGreaterThanOrEqual(20);
});
