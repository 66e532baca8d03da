import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessName, schemas } from '@event-api/contracts/topology';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabaseFixture } from './fixtures/database.ts';
import type { PlatformDatabases } from './fixtures/databases.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');

/** The SQL statements within sentences of the runbook. */
const statements = [
  ...new Set(
    [...page.matchAll(/`((?:select|delete|analyze|update|alter) [^`]+)`/g)].map(([, text = '']) =>
      text.replaceAll(/\s+/g, ' '),
    ),
  ),
];

let database: PlatformDatabases;
beforeAll(async () => {
  database = await createDatabaseFixture();
});
afterAll(() => database?.drop());

/**
 * The processes in whose databases the statement runs: those that have the table which it names after
 * a placeholder, the one whose table it names, or any.
 */
async function processesOf(statement: string): Promise<ProcessName[]> {
  const [, table] = /<schema>\.(\w+)/.exec(statement) ?? [];
  if (table === undefined)
    return [schemas.find((name) => statement.includes(` ${name}.`)) ?? 'catalog'];
  const found = await Promise.all(
    schemas.map(async (name) => {
      const [row] = await database
        .of(name)
        .sql<{ has: boolean }>('select to_regclass($1) is not null as has', [`${name}.${table}`]);
      return row?.has ? [name] : [];
    }),
  );
  return found.flat();
}

test('every statement of the runbook runs in the database of the platform', async () => {
  expect(statements.length).toBeGreaterThan(12);
  for (const statement of statements) {
    // No session has this id.
    const text = statement.replace('<pid>', '0').replace('<schema>.<table>', 'catalog.event');
    const names = await processesOf(text);
    expect(names.length, statement).toBeGreaterThan(0);
    for (const name of names) {
      const ran = database.of(name).sql(text.replace('<schema>', name));
      await expect(ran, statement).resolves.toBeDefined();
    }
  }
});
