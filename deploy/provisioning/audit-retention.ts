import { Client, type ClientConfig } from 'pg';

/**
 * Fewer days are a typing error rather than a policy: what happened lately is still being
 * investigated.
 */
export const minRetentionDays = 30;

/**
 * Deletes the audit entries of each schema that are older than `days`, as the role that owns the
 * tables: the roles of the processes cannot. The statement that deletes adds an entry
 * `audit.deleteOld`, so the log says what it no longer contains. Returns how many were deleted, by
 * schema. Errors: PostgreSQL's, for a role that does not own the tables.
 */
export async function deleteOldAuditEntries({
  connection,
  schemas,
  days,
}: {
  connection: ClientConfig;
  schemas: readonly string[];
  days: number;
}): Promise<Record<string, number>> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const deleted: Record<string, number> = {};
    for (const schema of schemas) {
      const { rows } = await client.query<{ count: number }>(deleteStatement(schema), [days]);
      deleted[schema] = rows[0]?.count ?? 0;
    }
    return deleted;
  } finally {
    await client.end();
  }
}

/** The condition uses the index `audit_entry_newest`. */
const deleteStatement = (schema: string): string =>
  `with cutoff as (select clock_timestamp() - make_interval(days => $1::int) as at),
   deleted as (
     delete from ${schema}.audit_entry where timezone('UTC', at) < timezone('UTC', (select at from cutoff)) returning 1
   ), counted as (select count(*)::int as count from deleted),
   recorded as (
     insert into ${schema}.audit_entry (id, actor_type, actor_id, operation, records, fields, result, reason, request_id)
     select 'aud_' || replace(gen_random_uuid()::text, '-', ''), 'cli', 'retention', 'audit.deleteOld', '{}', '{}', 'done',
       counted.count || ' entries before ' || to_char(timezone('UTC', cutoff.at), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
       gen_random_uuid()::text
     from counted, cutoff where counted.count > 0
   )
   select count from counted`;
