import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AuditEntry } from '@event-api/contracts/operator/audit';
import { processNames, schemas } from '@event-api/contracts/topology';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { deleteOldAuditEntries } from '@event-api/provisioning/audit-retention';
import type { ProvisionedUrls } from '@event-api/provisioning/database-roles';
import { sharedDatabase } from '@event-api/provisioning/database-urls';
import { provision } from '@event-api/provisioning/provision';
import { prepareDatabases } from '@event-api/tools/platform/prepare-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** `database` is that of all processes; `other` that of those that have one of their own. */
let database: TestDatabase;
let other: TestDatabase;
let urls: ProvisionedUrls<string>;
let otherUrls: ProvisionedUrls<string>;
beforeAll(async () => {
  const serverUrl = await postgresUrl();
  [database, other] = await Promise.all([
    createTestDatabase(serverUrl),
    createTestDatabase(serverUrl),
  ]);
  for (const { url } of [database, other])
    await prepareDatabases(sharedDatabase(url, processNames), new AbortController().signal);
  urls = await provision(database.url, schemas);
  otherUrls = await provision(other.url, schemas);
}, 600_000);
afterAll(async () => {
  await database?.drop();
  await other?.drop();
});

/** Each schema has entries of today, and from a day before and a day after the end of 400 days. */
beforeEach(async () => {
  for (const { sql } of [database, other])
    for (const schema of schemas) {
      await sql(`truncate ${schema}.audit_entry`);
      await sql(
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
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: `${stdout}${stderr}` };
  }
}

async function idsOf(schema: string, { sql } = database): Promise<string[]> {
  const rows = await sql<{ id: string }>(
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

describe('with a database of their own for two processes', () => {
  const own = ['commerce', 'onsite'] as const;
  const settings = (addresses: Record<string, string | undefined>) => ({
    MIGRATION_DATABASE_URL: urls.owner,
    MIGRATION_DATABASE_URLS: JSON.stringify(addresses),
    AUDIT_RETENTION_DAYS: '400',
  });
  const untouched = 3;

  test('deletes the entries of each where the process has them, and nothing elsewhere', async () => {
    const { commerce, onsite } = otherUrls.schemaOwner;
    const { code, text } = await applyRetention(settings({ commerce, onsite }));
    expect([code, text.trim().split('\n').toSorted()]).toEqual([
      0,
      schemas.map((schema) => `${schema}: deleted 1 audit entries`).toSorted(),
    ]);
    for (const schema of schemas) {
      const isOwn = own.some((name) => name === schema);
      expect([schema, (await idsOf(schema)).length]).toEqual([schema, isOwn ? untouched : 2]);
      expect([schema, (await idsOf(schema, other)).length]).toEqual([
        schema,
        isOwn ? 2 : untouched,
      ]);
    }
  });

  test('fails and names the process if a database cannot be used, and deletes in the others', async () => {
    const { commerce } = otherUrls.schemaOwner;
    const unreachable = 'postgres://onsite_owner@127.0.0.1:9/app';
    const { code, text } = await applyRetention(settings({ commerce, onsite: unreachable }));
    expect([code, text]).toEqual([1, expect.stringMatching(/^onsite: .*ECONNREFUSED/m)]);
    expect(await idsOf('catalog')).toHaveLength(2);
    expect(await idsOf('commerce', other)).toHaveLength(2);
    expect(await idsOf('onsite')).toHaveLength(untouched);
  });
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
