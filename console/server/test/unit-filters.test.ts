import { readDeclaredStatements } from '@event-api/platform/testing/unit-filters/read-statements';
import { expect, inject, test } from 'vitest';
// Loads every module that declares statements.
import '../src/app.ts';
import { consoleOrm } from '../src/orm.ts';

test('every statement filters by business unit or is a listed exception', async () => {
  const report = await readDeclaredStatements(inject('postgresUrl'), 'console', consoleOrm);
  expect(report.unfiltered).toEqual([]);
  expect(report.read).toBeGreaterThanOrEqual(10);
});
