import type { Snapshot, SnapshotType } from '@event-api/contracts/messages/snapshot';
import type { z } from 'zod';
import type { Db, Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** Which version wins: the newest, or that of the owner, which may have been restored from a backup. */
export type ConflictPolicy = 'newest' | 'source';

/** A projection of the records of another service: its columns and how it is updated. */
export interface Projection {
  readonly type: SnapshotType;
  /** The fingerprint of the columns; a change causes a resync. */
  readonly schemaFingerprint: string;
  /**
   * Writes the snapshots, one per record; the newest version wins. Locks: the rows, in the order of their ids.
   */
  upsert(db: Db, snapshots: readonly Snapshot[]): Promise<void>;
  /**
   * The same as SQL for a part of a larger statement: it writes the rows in the parameter with this number, if
   * `guard`, another part of the statement, has a row.
   */
  conditionalUpsertSql(guard: string, parameter: number, conflictPolicy: ConflictPolicy): string;
  /** The value of such a parameter. */
  toJsonRows(snapshots: readonly Snapshot[]): string;
  /**
   * Deletes the rows with an id after `after` and up to `upTo` (null: all after it) that are not in `kept`.
   */
  deleteMissing(
    tx: Tx,
    after: string,
    upTo: string | null,
    existingIds: readonly string[],
  ): Promise<void>;
  /**
   * Stores the response of the owner whatever version it has, and deletes the row if there is no record. Returns false
   * without an effect if the row has not this version any more. Locks: the row.
   */
  replace(db: Db, row: StoredRow, snapshot: Snapshot | null): Promise<boolean>;
  /** Whether a record of this business unit exists. */
  exists(db: Db, businessUnitId: string, aggregateId: string): Promise<boolean>;
  /** The stored version of a record, or null. */
  versionOf(db: Db, aggregateId: string): Promise<number | null>;
}

/** A row with the version that was read; null if there was none. */
export interface StoredRow {
  businessUnitId: string;
  aggregateId: string;
  version: number | null;
}

/** A version that no row has. */
const absent = -1;

/**
 * Declares a projection in a table with `id, business_unit_id, event_id, version` and these columns, each with
 * its SQL type. `row` selects their values from the data of a snapshot.
 */
export function defineProjection<
  Data extends z.ZodObject,
  Columns extends Record<string, string>,
>(options: {
  type: SnapshotType<Data>;
  table: string;
  columns: Columns;
  row: (data: z.output<Data>) => { [Name in keyof Columns]: unknown };
}): Projection {
  const { type, table, columns } = options;
  const names = ['id', 'business_unit_id', 'event_id', 'version', ...Object.keys(columns)];
  const types = {
    id: 'text',
    business_unit_id: 'text',
    event_id: 'text',
    version: 'bigint',
    ...columns,
  };
  const record = Object.entries(types).map(([name, sqlType]) => `${name} ${sqlType}`);
  const updates = names.slice(1).map((name) => `${name} = excluded.${name}`);
  const label = table.replace('.', '_');
  const upsertFrom = (rows: string, conflictPolicy: ConflictPolicy): string =>
    `insert into ${table} as t (${names.join(', ')}) select ${names.join(', ')} from ${rows} order by id
     on conflict (id) do update set ${updates.join(', ')}
     ${conflictPolicy === 'newest' ? 'where t.version < excluded.version' : ''}`;
  const parameter = (number: number) =>
    `jsonb_to_recordset($${number}::jsonb) as x(${record.join(', ')})`;
  const upsert = statement(`projection_upsert_${label}`, upsertFrom(parameter(1), 'newest'));
  const deleteMissing = statement(
    `projection_delete_missing_${label}`,
    `delete from ${table} where id > $1 and ($2::text is null or id <= $2) and id <> all($3)`,
  );
  const toJsonRows = (snapshots: readonly Snapshot[]): string =>
    JSON.stringify(
      snapshots.map(({ aggregateId, businessUnitId, eventId, version, data }) => ({
        ...options.row(data as z.output<Data>),
        id: aggregateId,
        business_unit_id: businessUnitId,
        event_id: eventId,
        version,
      })),
    );
  const version = statement<{ version: number }>(
    `projection_version_${label}`,
    `select version from ${table} where id = $1`,
  );
  const replace = statement(
    `projection_replace_${label}`,
    `${upsertFrom(parameter(1), 'source')} where t.version = $2 and t.business_unit_id = $3 returning t.id`,
  );
  const remove = statement(
    `projection_remove_${label}`,
    `delete from ${table} where id = $1 and version = $2 and business_unit_id = $3 returning id`,
  );
  const exists = statement(
    `projection_exists_${label}`,
    `select 1 from ${table} where business_unit_id = $1 and id = $2`,
  );
  return {
    type: type as unknown as SnapshotType,
    schemaFingerprint: `${table}(${record.join(',')})`,
    toJsonRows,
    upsert: async (db, snapshots) => void (await db.query(upsert, [toJsonRows(snapshots)])),
    conditionalUpsertSql: (guard, number, conflictPolicy) =>
      upsertFrom(`${parameter(number)}, ${guard}`, conflictPolicy),
    deleteMissing: async (tx, after, upTo, existingIds) =>
      void (await tx.query(deleteMissing, [after, upTo, existingIds])),
    async replace(db, { businessUnitId, aggregateId, version: expected }, snapshot) {
      if (!snapshot && expected === null) return true;
      const [text, key] = snapshot ? [replace, toJsonRows([snapshot])] : [remove, aggregateId];
      return (await db.query(text, [key, expected ?? absent, businessUnitId])).length > 0;
    },
    exists: async (db, businessUnitId, aggregateId) =>
      (await db.query(exists, [businessUnitId, aggregateId])).length > 0,
    async versionOf(db, aggregateId) {
      const [row] = await db.query(version, [aggregateId]);
      return row?.version ?? null;
    },
  };
}
