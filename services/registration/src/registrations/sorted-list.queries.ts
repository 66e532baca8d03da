import { registrationStatuses } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type {
  RegistrationCounts,
  RegistrationSort,
  SortDirection,
} from '@event-api/contracts/operator/registration-list';
import type { AnswerFilter } from '@event-api/contracts/operator/search';
import type { Db } from '@event-api/platform/db/database';
import {
  ifPresent,
  type ListDefinition,
  type ListIndex,
  type ListOrder,
  listStatement,
} from '@event-api/platform/db/list';
import { nameOrderSql } from '@event-api/platform/db/name-search';
import { statement } from '@event-api/platform/db/statement';
import {
  filterConditions,
  type RegistrationFilters,
  type RegistrationRow,
  registrationColumns,
} from './registrations.queries.ts';

export type SortedFilters = Pick<RegistrationFilters, 'status' | 'type' | 'from' | 'before'> & {
  answer?: AnswerFilter | undefined;
};

type Filter = keyof typeof filterConditions | 'type';

const list: ListDefinition<RegistrationRow, Filter> = {
  name: 'sorted',
  select: `select ${registrationColumns} from registration.registration r`,
  scope: ['r.business_unit_id = $1', 'r.event_id = $2'],
  filters: {
    // With the collation only `registration_of_type` serves the condition.
    type: (type) => `r.ticket_type_id collate "C" = ${type}`,
    ...filterConditions,
  },
};

interface Order {
  /** The name in one direction and in the other one. */
  names: Record<SortDirection, string>;
  /** The key, whose last column is unique. */
  columns: (alias: string) => readonly string[];
  indexes: readonly ListIndex<Filter>[];
  /** Conditions that only the index of this order serves. */
  scope?: readonly string[];
}

const orders: Record<RegistrationSort, Order> = {
  // `registration_newest_first`, `registration_waiting`, `registration_of_type`,
  // `registration_by_status`
  registered: {
    names: { ascending: 'oldest', descending: 'newest' },
    columns: (alias) => [`${alias}.insertion_order`],
    indexes: [
      { filters: ['typeWithStatus', 'status'], scoped: false },
      { filters: ['type'], scoped: false },
      { filters: ['status'] },
    ],
  },
  // `registration_name_order`
  name: {
    names: { ascending: 'az', descending: 'za' },
    columns: (alias) => [nameOrderSql(`${alias}.name`), `${alias}.insertion_order`],
    indexes: [{ filters: [], scoped: false }],
    scope: [`r.event_id || '' = $2`],
  },
  // `registration_by_status`
  status: {
    names: { ascending: 'status', descending: 'last' },
    columns: (alias) => [`${alias}.status`, `${alias}.insertion_order`],
    indexes: [{ filters: ['status'] }],
  },
};

/** The order of a page: the first one, or one after a row, whose id is the key. */
function orderOf(sort: RegistrationSort, direction: SortDirection, isFirst: boolean) {
  const { names, columns, indexes, scope = [] } = orders[sort];
  const isAscending = direction === 'ascending';
  const ofRow = (id: string) =>
    columns('k').map(
      (column) =>
        `(select ${column} from registration.registration k
          where k.id = ${id} and (k.business_unit_id = $1) is true and (k.event_id = $2) is true)`,
    );
  const after = (id: string) =>
    `(${columns('r').join(', ')}) ${isAscending ? '>' : '<'} (${ofRow(id).join(', ')})`;
  const order: ListOrder<Filter> = {
    name: `${names[direction]}${isFirst ? '' : '_next'}`,
    after: (id) => [...scope, ...(id === undefined ? [] : [after(id)])].join(' and ') || 'true',
    by: columns('r')
      .map((column) => `${column} ${isAscending ? 'asc' : 'desc'}`)
      .join(', '),
    indexes,
  };
  return order;
}

/** The conditions of an answer to a question. */
export function answerFilters(
  answer: AnswerFilter | undefined,
): Partial<Record<'noAnswer' | 'anyAnswer' | 'answer', string>> {
  if (!answer) return {};
  const { question, value } = answer;
  if (value === null) return { noAnswer: question };
  return value === undefined ? { anyAnswer: question } : { answer: JSON.stringify(answer) };
}

/**
 * Up to `limit` + 1 registrations of an event that match every filter, in this order, after the one
 * with the id `afterId`.
 */
export function listSorted(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  page: {
    filters: SortedFilters;
    sort: RegistrationSort;
    direction: SortDirection;
    afterId: string | null;
    limit: number;
  },
): Promise<RegistrationRow[]> {
  const { sort, direction, afterId, limit } = page;
  const { type, answer, ...others } = page.filters;
  const typeName = sort === 'registered' && others.status === undefined ? 'type' : 'typeWithStatus';
  return db.query(
    ...listStatement(list, orderOf(sort, direction, afterId === null), {
      scope: [businessUnitId, eventId],
      filters: { ...others, [typeName]: type, ...answerFilters(answer) },
      after: afterId === null ? [] : [afterId],
      limit,
    }),
  );
}

export type StatusCount = { status: (typeof registrationStatuses)[number]; count: number };

// Every registration of the event is counted, in any index that begins with it.
const countWhere = (condition: string) => `select r.status, count(*)::int as count
   from registration.registration r
   where r.business_unit_id = $1 and r.event_id = $2 and ${condition}
   group by r.status`;

const countAll = statement<StatusCount>('registrations_counted', countWhere('true'));

const countFiltered = statement<StatusCount>(
  'registrations_counted_filtered',
  countWhere(
    [
      ifPresent('$3::text', filterConditions.typeWithStatus),
      ifPresent('$4::timestamptz', filterConditions.from),
      ifPresent('$5::timestamptz', filterConditions.before),
      ifPresent('$6::text', filterConditions.noAnswer),
      ifPresent('$7::text', filterConditions.anyAnswer),
      ifPresent('$8::jsonb', filterConditions.answer),
    ].join(' and '),
  ),
);

/** The registrations of an event that match every filter, by status. */
export async function countByStatus(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  { type, from, before, answer }: Omit<SortedFilters, 'status'>,
): Promise<RegistrationCounts> {
  const { noAnswer, anyAnswer, answer: ofQuestion } = answerFilters(answer);
  const values = [type, from, before, noAnswer, anyAnswer, ofQuestion];
  const counted = [businessUnitId, eventId];
  const rows = values.every((value) => value === undefined)
    ? await db.query(countAll, counted)
    : await db.query(countFiltered, [...counted, ...values.map((value) => value ?? null)]);
  return countsOf(rows);
}

/** The counts of all statuses. */
export function countsOf(rows: readonly StatusCount[]): RegistrationCounts {
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    statuses: Object.fromEntries(
      registrationStatuses.map((status) => [status, counts.get(status) ?? 0]),
    ) as RegistrationCounts['statuses'],
  };
}
