import type { EventScope } from '@event-api/contracts/internal/scope';
import { type EntityName, type FilterQuery, LockMode } from '@mikro-orm/core';
import { notFound, type RecordKind } from '../core/errors.ts';
import type { Stored } from './columns.ts';
import type { Db, Tx } from './database.ts';
import { statement } from './statement.ts';

/** Reads single records of an event. */
export interface RecordReader<Row> {
  /** Returns a record, or null. */
  find(db: Db, scope: EventScope, id: string): Promise<Row | null>;
  /**
   * Returns a record. Errors: 404, identical for an unknown id, a record of another event and an event of another
   * business unit.
   */
  read(db: Db, scope: EventScope, id: string): Promise<Row>;
}

export interface RecordSource {
  /** The name of the statement. */
  name: string;
  /** The statement up to `where`. */
  select: string;
  /** The alias of the table with the id and the scope. */
  alias: string;
  /** A condition beside the id and the scope. */
  where?: string;
  /** The kind of record that a 404 names. */
  kind?: RecordKind;
}

export function recordReader<Row>(source: RecordSource): RecordReader<Row> {
  const { name, select, alias, where, kind } = source;
  // `is true` leaves the index on the id as the only one that fits.
  const scoped = `(${alias}.business_unit_id = $1) is true and (${alias}.event_id = $2) is true and ${alias}.id = $3`;
  const byId = statement<Row>(
    name,
    `${select} where ${scoped}${where === undefined ? '' : ` and ${where}`}`,
  );
  const find: RecordReader<Row>['find'] = async (db, { businessUnitId, eventId }, id) => {
    const [row] = await db.query(byId, [businessUnitId, eventId, id]);
    return row ?? null;
  };
  return {
    find,
    async read(db, scope, id) {
      const row = await find(db, scope, id);
      if (row === null) throw notFound(kind);
      return row;
    },
  };
}

/** Locks and returns a record of an event until the transaction ends. What it does not have is null. Errors: 404, as `RecordReader.read`. */
export async function lockRecord<Entity extends object>(
  tx: Tx,
  entity: EntityName<Entity>,
  { businessUnitId, eventId }: EventScope,
  id: string,
  kind?: RecordKind,
): Promise<Entity & Stored<Entity>> {
  const where = { id, businessUnitId, eventId } as FilterQuery<NoInfer<Entity>>;
  const row = await tx.em.findOne(entity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (row === null) throw notFound(kind);
  return row as Entity & Stored<Entity>;
}
