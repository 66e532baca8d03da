import { postgresUrl } from '@event-api/platform/testing/servers';
import { readDeclaredStatements } from '@event-api/platform/testing/unit-filters/read-statements';
import { expect, test } from 'vitest';
// Loads every module that declares statements.
import '../src/app.ts';
import { registrationOrm } from '../src/orm.ts';

test('every statement filters by business unit or is a listed exception', async () => {
  const report = await readDeclaredStatements(await postgresUrl(), 'registration', registrationOrm);
  expect(report.unfiltered).toEqual([]);
  expect(report.read).toBeGreaterThanOrEqual(80);
});
