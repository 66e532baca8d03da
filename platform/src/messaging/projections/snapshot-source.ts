import type { Snapshot, SnapshotType } from '@event-api/contracts/messages/snapshot';
import type { EntitySchema, InferEntity } from '@mikro-orm/core';
import type { z } from 'zod';
import { randomId } from '../../core/ids.ts';
import { columnName } from '../../db/columns.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { sampledTraceparent } from '../../telemetry/trace-scope.ts';
import { emit, type OutboxRow } from '../outbox/emit.ts';

/** This number of records always fits into one message. */
const maxInlineRecords = 8;

interface SourceRow {
  id: string;
  businessUnitId: string;
  eventId: string;
  version: number;
  now: Date;
  data: Record<string, unknown>;
}

/** Reads and publishes the records of a service as snapshots. */
export interface SnapshotSource {
  readonly type: string;
  page(db: Db, after: string, limit: number): Promise<Snapshot[]>;
  read(db: Db, businessUnitId: string, id: string): Promise<Snapshot | null>;
  /**
   * Writes snapshots of these records, as the transaction has left them, to the outbox. The transaction must
   * hold locks on their rows.
   */
  emit(tx: Tx, ids: readonly string[]): Promise<void>;
  /** Reads records by their ids, as snapshots. */
  readAll(db: Db, ids: readonly string[]): Promise<Snapshot[]>;
  /** The snapshots of the records in parameter `ids`, with the message ids in the next one, as an SQL expression. */
  snapshotsSql(ids: number): string;
}

/** The fields of a snapshot that are no columns of its record. */
type Computed<Data extends z.ZodObject, Entity> = Record<
  Exclude<keyof z.input<Data>, keyof Entity>,
  string
>;

/**
 * Declares how records of a table become snapshots. Each field of the snapshot is the column of this name, or the SQL
 * expression in `computed`, in which `t` is the table. It is a type error to omit one. Pages, single reads and messages all
 * use this declaration.
 */
export function defineSnapshotSource<
  Data extends z.ZodObject,
  // biome-ignore lint/suspicious/noExplicitAny: an entity of any properties.
  Schema extends EntitySchema<any>,
>(options: {
  type: SnapshotType<Data>;
  entity: Schema;
  /** The property with the id of the record. */
  id?: Extract<keyof InferEntity<Schema>, string>;
  /** The property with the id of the event. */
  eventId?: Extract<keyof InferEntity<Schema>, string>;
  computed: Computed<Data, InferEntity<Schema>>;
}): SnapshotSource {
  const { type, entity } = options;
  const columnOf = (property: string) => `t.${columnName(property)}`;
  const id = columnOf(options.id ?? 'id');
  const eventId = columnOf(options.eventId ?? 'eventId');
  const from = `${type.origin}.${entity.meta.tableName} t`;
  const computed = options.computed as Record<string, string>;
  const fields = Object.keys(type.data.shape).map(
    (field) => `'${field}', ${computed[field] ?? columnOf(field)}`,
  );
  const data = `jsonb_build_object(${fields.join(', ')})`;
  const label = type.type.replace('.', '_');
  const select = `select ${id} as id, t.business_unit_id as "businessUnitId", ${eventId} as "eventId", t.version,
    clock_timestamp() as now, ${data} as data from ${from}`;
  const pageQuery = statement<SourceRow>(
    `source_page_${label}`,
    `${select} where ${id} > $1 order by ${id} limit $2`,
  );
  const byIdQuery = statement<SourceRow>(
    `source_one_${label}`,
    `${select} where (t.business_unit_id = $1) is true and ${id} = $2`,
  );
  const byIdsQuery = statement<SourceRow>(
    `source_some_${label}`,
    `${select} where ${id} = any($1)`,
  );
  const toSnapshot = (row: SourceRow): Snapshot => ({
    id: randomId('msg'),
    type: type.type,
    businessUnitId: row.businessUnitId,
    eventId: row.eventId,
    aggregateId: row.id,
    version: row.version,
    occurredAt: row.now.toISOString(),
    data: row.data,
  });
  const source: SnapshotSource = {
    type: type.type,
    page: async (db, after, limit) => (await db.query(pageQuery, [after, limit])).map(toSnapshot),
    async read(db, businessUnitId, aggregateId) {
      const [row] = await db.query(byIdQuery, [businessUnitId, aggregateId]);
      return row ? toSnapshot(row) : null;
    },
    readAll: async (db, ids) => (await db.query(byIdsQuery, [ids])).map(toSnapshot),
    emit: (tx, ids) => emitAll(tx, [{ source, ids }]),
    snapshotsSql: (ids) =>
      `select jsonb_agg(jsonb_build_object('id', x.message, 'type', '${type.type}',
         'businessUnitId', t.business_unit_id, 'eventId', ${eventId}, 'aggregateId', ${id}, 'version', t.version,
         'occurredAt', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'data', ${data}))
       from ${from} join unnest($${ids}::text[], $${ids + 1}::text[]) x(record, message) on x.record = ${id}`,
  };
  return source;
}

/** Writes snapshots of records of several sources to the outbox, as one message if they are few. See `emit`. */
export async function emitAll(
  tx: Tx,
  changed: readonly { source: SnapshotSource; ids: readonly string[] }[],
): Promise<void> {
  const present = changed.filter(({ ids }) => ids.length > 0);
  const count = present.reduce((sum, { ids }) => sum + ids.length, 0);
  if (count === 0) return;
  if (count > maxInlineRecords) {
    const snapshots: Snapshot[] = [];
    for (const { source, ids } of present) snapshots.push(...(await source.readAll(tx, ids)));
    return emit(tx, snapshots);
  }
  const values = present.flatMap(({ ids }) => [ids, ids.map(() => randomId('msg'))]);
  tx.send(insertFrom(tx.schema, present), [sampledTraceparent(), ...values], (rows) =>
    tx.afterCommit.push(...rows),
  );
}

// Reads and writes in one statement: most changes affect few records, and each round trip to the database costs time.
function insertFrom(
  schema: string,
  changed: readonly { source: SnapshotSource }[],
): Statement<OutboxRow> {
  const label = changed.map(({ source }) => source.type.replace('.', '_')).join('_');
  const parts = changed.map(
    ({ source }, n) => `coalesce((${source.snapshotsSql(2 + 2 * n)}), '[]')`,
  );
  return statement(
    `source_emit_${label}`,
    `insert into ${schema}.outbox_message (id, payload, traceparent)
     select gen_random_uuid(), snapshots::text, $1::text from (select ${parts.join(' || ')} as snapshots) s
     where snapshots <> '[]' returning id, payload, traceparent`,
  );
}
