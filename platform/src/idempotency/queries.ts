import type { Db } from '../db/database.ts';
import { statement } from '../db/statement.ts';

export interface KeyRow {
  hash: string;
  status: number | null;
  location: string | null;
  body: string | null;
  /** Seconds until the lease of whoever works on it ends. */
  leaseSeconds: number;
}

export interface Begun {
  seed: string;
  begunAt: Date;
  isNew: boolean;
}

/** The statements of one service's schema. */
export function idempotencyQueries(schema: string) {
  const table = `${schema}.idempotency_key`;
  const now = 'clock_timestamp()';
  const isOld = `k.created_at <= ${now} - $7 * interval '1 ms'`;
  // Takes a key that nobody has, that is too old to count, or whose holder has not come back in time.
  const begin = statement<Begun>(
    `idempotency_begin_${schema}`,
    `insert into ${table} as k (business_unit_id, operation, key, hash, seed, lease_until, created_at)
     values ($1, $2, $3, $4, $5, ${now} + $6 * interval '1 ms', ${now})
     on conflict (business_unit_id, operation, key) do update set
       hash = excluded.hash, lease_until = excluded.lease_until,
       seed = case when ${isOld} then excluded.seed else k.seed end,
       created_at = case when ${isOld} then excluded.created_at else k.created_at end,
       status = null, location = null, body = null
     where ${isOld} or (k.status is null and k.hash = excluded.hash and k.lease_until <= ${now})
     returning seed, created_at as "begunAt", seed = $5 as "isNew"`,
  );
  const read = statement<KeyRow>(
    `idempotency_read_${schema}`,
    `select hash, status, location, body,
       greatest(1, ceil(extract(epoch from lease_until - ${now})))::int as "leaseSeconds"
     from ${table} where business_unit_id = $1 and operation = $2 and key = $3`,
  );
  const keep = statement(
    `idempotency_keep_${schema}`,
    `update ${table} set status = $5, location = $6, body = $7
     where business_unit_id = $1 and operation = $2 and key = $3 and seed = $4`,
  );
  // The next run gets the same seed, and knows that it is not the first.
  const release = statement(
    `idempotency_release_${schema}`,
    `update ${table} set lease_until = ${now}
     where business_unit_id = $1 and operation = $2 and key = $3 and seed = $4 and status is null`,
  );
  const forget = statement(
    `idempotency_forget_${schema}`,
    `delete from ${table} where business_unit_id = $1 and operation = $2 and key = $3 and seed = $4 and status is null`,
  );
  const sweep = statement<{ key: string }>(
    `idempotency_sweep_${schema}`,
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where created_at <= ${now} - $1 * interval '1 ms' limit 1000)) returning key`,
  );
  type Id = readonly [businessUnitId: string, operation: string, key: string];
  return {
    /** Null when the key is somebody's: read then says whose. */
    async begin(
      db: Db,
      id: Id,
      given: { hash: string; seed: string; leaseMs: number; keepMs: number },
    ): Promise<Begun | null> {
      const { hash, seed, leaseMs, keepMs } = given;
      const [row] = await db.query(begin, [...id, hash, seed, leaseMs, keepMs]);
      return row ?? null;
    },
    read: async (db: Db, id: Id): Promise<KeyRow | null> =>
      (await db.query(read, [...id]))[0] ?? null,
    keep: (
      db: Db,
      id: Id,
      seed: string,
      answer: { status: number; location: string | null; body: string },
    ) => db.query(keep, [...id, seed, answer.status, answer.location, answer.body]),
    release: (db: Db, id: Id, seed: string) => db.query(release, [...id, seed]),
    forget: (db: Db, id: Id, seed: string) => db.query(forget, [...id, seed]),
    /** Deletes up to a thousand that are too old to count, and says how many. */
    sweep: async (db: Db, keepMs: number): Promise<number> =>
      (await db.query(sweep, [keepMs])).length,
  };
}
