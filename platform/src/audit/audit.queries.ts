import { columnsOf, type RowOf } from '../db/columns.ts';
import type { Db } from '../db/database.ts';
import { type ListDefinition, type ListOrder, listStatement } from '../db/list.ts';
import { type Statement, statement } from '../db/statement.ts';
import { AuditEntry } from './audit-entry.entity.ts';

const columns = columnsOf(AuditEntry, 'a');

/** An entry as it is stored. */
export type AuditRow = RowOf<typeof columns>;

type Filter = 'eventId' | 'actorId' | 'operation' | 'from' | 'to';

export interface AuditFilter {
  businessUnitId?: string | undefined;
  record?: string | undefined;
  eventId?: string | undefined;
  actorId?: string | undefined;
  operation?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/**
 * The order and the filters of a list, newest first. `timeOf` turns a time into the key of the
 * index. The list of a unit and that of all units have different keys: the index of all units would
 * also fit the order of one unit, and would read the entries of the others.
 */
function newestFirst(timeOf: (time: string) => string): {
  order: ListOrder<Filter>;
  filters: ListDefinition<AuditRow, Filter>['filters'];
} {
  const at = timeOf('a.at');
  const parameter = (placeholder: string) => timeOf(`${placeholder}::timestamptz`);
  return {
    order: {
      name: '',
      after: (time, id) => `(${at}, a.id) < (${parameter(time)}, ${id}::text)`,
      by: `${at} desc, a.id desc`,
      indexes,
    },
    filters: {
      eventId: (value) => `a.event_id = ${value}`,
      actorId: (value) => `a.actor_id = ${value}`,
      operation: (value) => `a.operation = ${value}`,
      from: (value) => `${at} >= ${parameter(value)}`,
      to: (value) => `${at} < ${parameter(value)}`,
    },
  };
}

// `audit_entry_of_event`, `audit_entry_of_actor`, `audit_entry_of_operation`; without them
// `audit_entry_of_unit` or `audit_entry_newest`. A period is a range of each of them.
const indexes: ListOrder<Filter>['indexes'] = [
  { filters: ['eventId', 'from', 'to'] },
  { filters: ['eventId', 'from'] },
  { filters: ['eventId', 'to'] },
  { filters: ['eventId'] },
  { filters: ['actorId', 'from', 'to'] },
  { filters: ['actorId', 'from'] },
  { filters: ['actorId', 'to'] },
  { filters: ['actorId'] },
  { filters: ['operation', 'from', 'to'] },
  { filters: ['operation', 'from'] },
  { filters: ['operation', 'to'] },
  { filters: ['operation'] },
  { filters: ['from', 'to'] },
  { filters: ['from'] },
  { filters: ['to'] },
];

const ofOneUnit = newestFirst((time) => time);
const ofAllUnits = newestFirst((time) => `timezone('UTC', ${time})`);

/** Reads the audit log of one schema. */
export function auditQueries(schema: string) {
  const select = `select ${columns.sql} from ${schema}.audit_entry a`;
  const ofUnit: ListDefinition<AuditRow, Filter> = {
    name: `audit_of_unit_${schema}`,
    select,
    scope: ['a.business_unit_id = $1'],
    filters: ofOneUnit.filters,
  };
  const ofAll: ListDefinition<AuditRow, Filter> = {
    name: `audit_of_all_${schema}`,
    select,
    scope: [],
    filters: ofAllUnits.filters,
  };
  // All entries of the record are found with `audit_entry_of_record`, which has no order.
  const recordIn = (name: string, condition: string): Statement<AuditRow> =>
    statement(
      `${name}_${schema}`,
      `with a as materialized (
         select e.* from ${schema}.audit_entry e where e.records @> array[$1::text] and (${condition}) is true
       )
       select ${columns.sql} from a
       where (a.at, a.id) < ($2::timestamptz, $3::text) and ($4::text is null or a.event_id = $4)
         and ($5::text is null or a.actor_id = $5) and ($6::timestamptz is null or a.at >= $6)
         and ($7::timestamptz is null or a.at < $7) and ($8::text is null or a.operation = $8)
       order by a.at desc, a.id desc limit $9`,
    );
  const recordOfUnit = recordIn('audit_of_unit_record', 'e.business_unit_id = $10');
  const recordOfAll = recordIn('audit_of_all_record', 'true');

  /** Up to `limit` + 1 entries that match, newest first, after a key. */
  return (
    db: Db,
    { businessUnitId, record, ...filter }: AuditFilter,
    after: readonly [at: string, id: string] | null,
    limit: number,
  ): Promise<AuditRow[]> => {
    const start = after ?? ['infinity', ''];
    if (record !== undefined) {
      const { eventId = null, actorId = null, from = null, to = null, operation = null } = filter;
      const values = [record, ...start, eventId, actorId, from, to, operation, limit + 1];
      return businessUnitId === undefined
        ? db.query(recordOfAll, values)
        : db.query(recordOfUnit, [...values, businessUnitId]);
    }
    const page = { filters: filter, after: start, limit };
    return businessUnitId === undefined
      ? db.query(...listStatement(ofAll, ofAllUnits.order, { scope: [], ...page }))
      : db.query(...listStatement(ofUnit, ofOneUnit.order, { scope: [businessUnitId], ...page }));
  };
}
