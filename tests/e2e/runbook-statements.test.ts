import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemas } from '@event-api/contracts/topology';
import type { TestDatabase } from '@event-api/platform/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabaseFixture } from './fixtures/database.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');

/** The SQL statements within sentences of the runbook. */
const statements = [
  ...new Set(
    [...page.matchAll(/`((?:select|delete|analyze|update|alter) [^`]+)`/g)].map(([, text = '']) =>
      text.replaceAll(/\s+/g, ' '),
    ),
  ),
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabaseFixture();
});
afterAll(() => database?.drop());

/** The schemas that have the table which the statement names after a placeholder. */
async function schemasOf(statement: string): Promise<string[]> {
  const [, table] = /<schema>\.(\w+)/.exec(statement) ?? [];
  if (table === undefined) return [''];
  const found = await database.sql<{ name: string }>(
    `select table_schema as name from information_schema.tables where table_name = '${table}'`,
  );
  return found.map(({ name }) => name).filter((name) => schemas.some((each) => each === name));
}

test('every statement of the runbook runs in the database of the platform', async () => {
  expect(statements.length).toBeGreaterThan(12);
  for (const statement of statements) {
    // No session has this id.
    const text = statement.replace('<pid>', '0').replace('<schema>.<table>', 'catalog.event');
    const names = await schemasOf(text);
    expect(names.length, statement).toBeGreaterThan(0);
    for (const name of names) {
      await expect(database.sql(text.replace('<schema>', name)), statement).resolves.toBeDefined();
    }
  }
});
