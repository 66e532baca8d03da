import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AuditEntry } from '@event-api/contracts/operator/audit';
import { schemas } from '@event-api/contracts/topology';
import type { TestDatabase } from '@event-api/platform/testing/database';
import { deleteOldAuditEntries } from '@event-api/provisioning/audit-retention';
import type { ProvisionedUrls } from '@event-api/provisioning/database-roles';
import { provision } from '@event-api/provisioning/provision';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDatabaseFixture } from './fixtures/database.ts';

const root = join(import.meta.dirname, '../..');

let database: TestDatabase;
let urls: ProvisionedUrls<string>;
beforeAll(async () => {
  database = await createDatabaseFixture();
  urls = await provision(database.url, schemas);
}, 600_000);
afterAll(() => database?.drop());

/** Each schema has entries of today, and from a day before and a day after the end of 400 days. */
beforeEach(async () => {
  for (const schema of schemas) {
    await database.sql(`truncate ${schema}.audit_entry`);
    await database.sql(
      `insert into ${schema}.audit_entry (id, at, actor_type, operation, records, fields, result, request_id)
       select 'aud_' || age, now() - make_interval(days => age), 'cli', 'unit.create', '{}', '{}', 'done', 'req_1'
       from unnest(array[0, 399, 401]) age`,
    );
  }
});

/** Runs the command as the CronJob does. */
async function applyRetention(
  env: Record<string, string>,
): Promise<{ code: number; text: string }> {
  const command = [join(root, 'deploy/retention/retention.ts')];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, command, { env });
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, text: stderr };
  }
}

async function idsOf(schema: string): Promise<string[]> {
  const rows = await database.sql<{ id: string }>(
    `select id from ${schema}.audit_entry where operation = 'unit.create' order by at desc`,
  );
  return rows.map(({ id }) => id);
}

async function deletionsOf(schema: string): Promise<unknown[]> {
  const rows = await database.sql(
    `select id, at, business_unit_id, event_id, actor_type, actor_id, operation, records, fields, result, reason, request_id
     from ${schema}.audit_entry where operation = 'audit.deleteOld'`,
  );
  return rows.map((row) =>
    AuditEntry.parse({
      ...row,
      at: (row.at as Date).toISOString(),
      businessUnitId: row.business_unit_id,
      eventId: row.event_id,
      actor: { type: row.actor_type, id: row.actor_id },
      requestId: row.request_id,
    }),
  );
}

test('deletes the entries of every schema that are older than the setting, and adds one that says so', async () => {
  const settings = { MIGRATION_DATABASE_URL: urls.owner, AUDIT_RETENTION_DAYS: '400' };
  const { code, text } = await applyRetention(settings);
  expect([code, text.trim().split('\n')]).toEqual([
    0,
    schemas.map((schema) => `${schema}: deleted 1 audit entries`),
  ]);
  for (const schema of schemas) {
    expect(await idsOf(schema)).toEqual(['aud_0', 'aud_399']);
    expect(await deletionsOf(schema)).toMatchObject([
      {
        actor: { type: 'cli', id: 'retention' },
        reason: expect.stringMatching(/^1 entries before /),
      },
    ]);
  }
  await applyRetention(settings);
  for (const schema of schemas) expect(await deletionsOf(schema)).toHaveLength(1);
});

test.each(schemas)('deletes nothing as the role of the process: %s', async (schema) => {
  const connection = { connectionString: urls.app[schema] };
  const attempt = deleteOldAuditEntries({ connection, schemas: [schema], days: 400 });
  await expect(attempt).rejects.toThrow('permission denied for table audit_entry');
  expect(await idsOf(schema)).toHaveLength(3);
});

test.each(['', '0', '29', '-400', '400d'])(
  'without a number of at least 30 days it deletes nothing: "%s"',
  async (days) => {
    const { code, text } = await applyRetention({
      MIGRATION_DATABASE_URL: urls.owner,
      ...(days && { AUDIT_RETENTION_DAYS: days }),
    });
    expect([code, text]).toEqual([1, expect.stringContaining('AUDIT_RETENTION_DAYS must be')]);
    for (const schema of schemas) expect(await idsOf(schema)).toHaveLength(3);
  },
);
