import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

export interface KeyRow {
  requestHash: string;
  status: number | null;
  location: string | null;
  body: string | null;
}

export interface AcquiredKey {
  seed: string;
  startedAt: Date;
  isFirstRun: boolean;
  /**
   * The end of the lease of this run. It differs between the runs of a key, so it identifies the
   * run.
   */
  leaseUntil: Date;
}

/** The statements of one service's schema. */
export function idempotencyQueries(schema: string) {
  const table = `${schema}.idempotency_key`;
  const now = 'clock_timestamp()';
  const isOld = `k.created_at <= ${now} - $7 * interval '1 ms'`;
  // Acquires a key that does not exist, has expired, or whose lease has ended.
  const acquire = statement<AcquiredKey>(
    `idempotency_acquire_${schema}`,
    `insert into ${table} as k (business_unit_id, operation, key, request_hash, id_seed, lease_until, created_at)
     values ($1, $2, $3, $4, $5, ${now} + $6 * interval '1 ms', ${now})
     on conflict (business_unit_id, operation, key) do update set
       request_hash = excluded.request_hash, lease_until = excluded.lease_until,
       id_seed = case when ${isOld} then excluded.id_seed else k.id_seed end,
       created_at = case when ${isOld} then excluded.created_at else k.created_at end,
       response_status = null, response_location = null, response_body = null
     where ${isOld} or (k.response_status is null and k.request_hash = excluded.request_hash and k.lease_until <= ${now})
     returning id_seed as seed, created_at as "startedAt", id_seed = $5 as "isFirstRun",
       lease_until as "leaseUntil"`,
  );
  const read = statement<KeyRow>(
    `idempotency_read_${schema}`,
    `select request_hash as "requestHash", response_status as status, response_location as location,
       response_body as body
     from ${table} where business_unit_id = $1 and operation = $2 and key = $3`,
  );
  const store = statement(
    `idempotency_store_${schema}`,
    `update ${table} set response_status = $5, response_location = $6, response_body = $7
     where business_unit_id = $1 and operation = $2 and key = $3 and id_seed = $4`,
  );
  // A run whose lease has ended must not take the key from its successor.
  const isLeaseCurrent = 'id_seed = $4 and lease_until = $5 and response_status is null';
  // The next run has the same seed and is a retry. Its lease ends later, because it starts later.
  const release = statement(
    `idempotency_release_${schema}`,
    `update ${table} set lease_until = ${now}
     where business_unit_id = $1 and operation = $2 and key = $3 and ${isLeaseCurrent}`,
  );
  const deleteKey = statement(
    `idempotency_delete_${schema}`,
    `delete from ${table} where business_unit_id = $1 and operation = $2 and key = $3 and ${isLeaseCurrent}`,
  );
  // Skips rows that another replica deletes or that a request takes over.
  const deleteExpired = statement<{ count: number }>(
    `idempotency_delete_expired_${schema}`,
    `with expired as (
       select ctid as row from ${table} where created_at <= statement_timestamp() - $1 * interval '1 ms'
       order by created_at limit $2 for update skip locked
     ), deleted as (
       delete from ${table} where ctid = any(array(select row from expired)) returning 1
     ) select count(*)::int as count from deleted`,
  );
  type Run = Pick<AcquiredKey, 'seed' | 'leaseUntil'>;
  type Id = readonly [businessUnitId: string, operation: string, key: string];
  return {
    /** Null when another run holds the key; `read` returns its state. */
    async acquire(
      db: Db,
      id: Id,
      input: { hash: string; seed: string; leaseMs: number; retentionMs: number },
    ): Promise<AcquiredKey | null> {
      const { hash, seed, leaseMs, retentionMs } = input;
      const [row] = await db.query(acquire, [...id, hash, seed, leaseMs, retentionMs]);
      return row ?? null;
    },
    read: async (db: Db, id: Id): Promise<KeyRow | null> =>
      (await db.query(read, [...id]))[0] ?? null,
    store: (
      db: Db,
      id: Id,
      seed: string,
      response: { status: number; location: string | null; body: string },
    ) => db.query(store, [...id, seed, response.status, response.location, response.body]),
    release: (db: Db, id: Id, run: Run) => db.query(release, [...id, run.seed, run.leaseUntil]),
    delete: (db: Db, id: Id, run: Run) => db.query(deleteKey, [...id, run.seed, run.leaseUntil]),
    /** Deletes up to `limit` rows older than `retentionMs` and returns how many it deleted. */
    deleteExpired: async (db: Db, retentionMs: number, limit: number): Promise<number> =>
      (await db.query(deleteExpired, [retentionMs, limit]))[0]?.count ?? 0,
  };
}
