import { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuditFilter, auditQueries } from '../src/audit/audit.queries.ts';
import { AuditEntry } from '../src/audit/audit-entry.entity.ts';
import { ormOptions } from '../src/db/migrations.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { planSession } from '../testing/plans.ts';
import { postgresUrl } from '../testing/servers.ts';

const schema = 'owner';
const limit = 20;
const unit = { businessUnitId: 'unit_1' };
const read = auditQueries(schema);
const noon = new Date('2027-01-01T12:00:00Z');

const cases: [filter: AuditFilter, index: string][] = [
  [{}, 'audit_entry_newest'],
  [unit, 'audit_entry_of_unit'],
  [{ ...unit, from: noon }, 'audit_entry_of_unit'],
  [{ ...unit, eventId: 'evt_1' }, 'audit_entry_of_event'],
  [{ ...unit, actorId: 'opr_1' }, 'audit_entry_of_actor'],
  [{ ...unit, operation: 'operation_3' }, 'audit_entry_of_operation'],
  [{ ...unit, record: 'reg_500' }, 'audit_entry_of_record'],
];

let database: TestDatabase;
let session: Awaited<ReturnType<typeof planSession>>;
const costOf = (filter: AuditFilter) => session.costOf((db) => read(db, filter, null, limit));

beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
  const migrations = new URL('./no-migrations', import.meta.url);
  const orm = await MikroORM.init(
    ormOptions({ url: database.url, schema, entities: [AuditEntry], migrations }),
  );
  await database.sql(`create schema ${schema}`);
  await orm.schema.create();
  await orm.close(true);
  session = await planSession(database);
  for (const [filter] of cases) await costOf(filter);
  await database.sql(
    `insert into ${schema}.audit_entry (id, at, business_unit_id, event_id, actor_type, actor_id, operation, records, fields, result, request_id)
     select 'aud_' || n, timestamptz '2027-01-01Z' + n * interval '1 s', 'unit_' || n % 10, 'evt_' || n % 7, 'operator',
       'opr_' || n % 13, 'operation_' || n % 11, array['reg_' || n % 5000], '{}', 'done', 'req_1'
     from generate_series(1, 100000) n`,
  );
  await session.analyze();
});
afterAll(async () => {
  await session?.end();
  await database?.drop();
});

test.each(cases)(
  'a page of the audit log with %j reads only its entries',
  async (filter, index) => {
    const { kinds, indexes, rows } = await costOf(filter);
    expect(indexes).toContain(index);
    expect(kinds).not.toContain('Seq Scan');
    expect(rows).toBeLessThanOrEqual(limit + 1);
  },
);
