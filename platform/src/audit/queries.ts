import type { Actor } from '@event-api/contracts/actor';
import type { AuditEntry } from '@event-api/contracts/operator/audit';
import type { z } from 'zod';
import type { Db } from '../db/database.ts';
import { type ListDefinition, type ListOrder, listStatement } from '../db/list.ts';
import { type Statement, statement } from '../db/statement.ts';

/** An entry as it is stored. */
export interface AuditRow extends Omit<z.input<typeof AuditEntry>, 'at' | 'actor'> {
  at: Date;
  actorType: Actor['type'];
  actorId: string | null;
}

type Filter = 'eventId' | 'actorId' | 'from' | 'to';

export interface AuditFilter {
  businessUnitId?: string | undefined;
  record?: string | undefined;
  eventId?: string | undefined;
  actorId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

const columns = `a.id, a.at, a.business_unit_id as "businessUnitId", a.event_id as "eventId", a.actor_type as "actorType",
  a.actor_id as "actorId", a.operation, a.records, a.fields, a.result, a.reason, a.request_id as "requestId"`;

const newestFirst: ListOrder<Filter> = {
  name: '',
  after: (at, id) => `(a.at, a.id) < (${at}::timestamptz, ${id}::text)`,
  by: 'a.at desc, a.id desc',
  // `audit_entry_of_event`, `audit_entry_of_actor`; without them `audit_entry_of_unit` or `audit_entry_newest`. A period is
  // a range of each of them.
  indexes: [
    { filters: ['eventId', 'from', 'to'] },
    { filters: ['eventId', 'from'] },
    { filters: ['eventId', 'to'] },
    { filters: ['eventId'] },
    { filters: ['actorId', 'from', 'to'] },
    { filters: ['actorId', 'from'] },
    { filters: ['actorId', 'to'] },
    { filters: ['actorId'] },
    { filters: ['from', 'to'] },
    { filters: ['from'] },
    { filters: ['to'] },
  ],
};

const filters: Record<Filter, (value: string) => string> = {
  eventId: (value) => `a.event_id = ${value}`,
  actorId: (value) => `a.actor_id = ${value}`,
  from: (value) => `a.at >= ${value}::timestamptz`,
  to: (value) => `a.at < ${value}::timestamptz`,
};

/** Reads the audit log of one schema. */
export function auditQueries(schema: string) {
  const select = `select ${columns} from ${schema}.audit_entry a`;
  const list = (name: string, scope: string[]): ListDefinition<AuditRow, Filter> => ({
    name,
    select,
    scope,
    filters,
  });
  const ofUnit = list(`audit_of_unit_${schema}`, ['a.business_unit_id = $1']);
  const ofAll = list(`audit_of_all_${schema}`, []);
  // All entries of the record are found with `audit_entry_of_record`, which has no order.
  const recordIn = (name: string, condition: string): Statement<AuditRow> =>
    statement(
      `${name}_${schema}`,
      `with a as materialized (
         select e.* from ${schema}.audit_entry e where e.records @> array[$1::text] and (${condition}) is true
       )
       select ${columns} from a
       where (a.at, a.id) < ($2::timestamptz, $3::text) and ($4::text is null or a.event_id = $4)
         and ($5::text is null or a.actor_id = $5) and ($6::timestamptz is null or a.at >= $6)
         and ($7::timestamptz is null or a.at < $7)
       order by a.at desc, a.id desc limit $8`,
    );
  const recordOfUnit = recordIn('audit_of_unit_record', 'e.business_unit_id = $9');
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
      const { eventId = null, actorId = null, from = null, to = null } = filter;
      const values = [record, ...start, eventId, actorId, from, to, limit + 1];
      return businessUnitId === undefined
        ? db.query(recordOfAll, values)
        : db.query(recordOfUnit, [...values, businessUnitId]);
    }
    const page = { filters: filter, after: start, limit };
    return businessUnitId === undefined
      ? db.query(...listStatement(ofAll, newestFirst, { scope: [], ...page }))
      : db.query(...listStatement(ofUnit, newestFirst, { scope: [businessUnitId], ...page }));
  };
}
