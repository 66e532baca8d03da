import type { Snapshot, SnapshotType } from '@event-api/contracts/messages/snapshot';
import type { EntitySchema } from '@mikro-orm/core';
import { z } from 'zod';
import { columnName } from '../../db/columns.ts';
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

/** The properties that every projection has. They come from the envelope of a snapshot. */
const envelope = ['id', 'businessUnitId', 'eventId', 'version'];

/**
 * Declares a projection in the table of `entity` in `schema`. It stores those fields of the snapshot that the entity has as
 * properties; other releases of the owner may publish more or fewer fields. `own` are the properties that the service
 * sets itself. Errors: a property that is neither published nor `own`.
 */
export function defineProjection(options: {
  type: SnapshotType;
  schema: string;
  // biome-ignore lint/suspicious/noExplicitAny: an entity of any properties.
  entity: EntitySchema<any>;
  own?: readonly string[];
}): Projection {
  const { type, schema, entity, own = [] } = options;
  const table = `${schema}.${entity.meta.tableName}`;
  const fields = Object.keys(entity.meta.properties).filter(
    (name) => !envelope.includes(name) && !own.includes(name),
  );
  const { shape } = type.data;
  const unknown = fields.filter((name) => !(name in shape));
  if (unknown.length > 0) throw new Error(`${type.type} has no field ${unknown.join()}`);
  const names = [...envelope, ...fields].map(columnName);
  const updates = names.slice(1).map((name) => `${name} = excluded.${name}`);
  const label = table.replace('.', '_');
  const upsertFrom = (rows: string, conflictPolicy: ConflictPolicy): string =>
    `insert into ${table} as t (${names.join(', ')}) select ${names.join(', ')} from ${rows} order by id
     on conflict (id) do update set ${updates.join(', ')}
     ${conflictPolicy === 'newest' ? 'where t.version < excluded.version' : ''}`;
  const parameter = (number: number) =>
    `jsonb_populate_recordset(null::${table}, $${number}::jsonb) as x`;
  const upsert = statement(`projection_upsert_${label}`, upsertFrom(parameter(1), 'newest'));
  const deleteMissing = statement(
    `projection_delete_missing_${label}`,
    `delete from ${table} where id > $1 and ($2::text is null or id <= $2) and id <> all($3)`,
  );
  const toJsonRows = (snapshots: readonly Snapshot[]): string =>
    JSON.stringify(
      snapshots.map(({ aggregateId, businessUnitId, eventId, version, data }) => ({
        ...Object.fromEntries(fields.map((field) => [columnName(field), data[field]])),
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
    // Only what is stored is parsed.
    type: {
      ...type,
      data: z.object(Object.fromEntries(fields.map((field) => [field, shape[field] ?? z.never()]))),
    },
    schemaFingerprint: `${table}(${names.join(',')})`,
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
