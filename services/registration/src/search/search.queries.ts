import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Search } from '@event-api/contracts/operator/search';
import type { Db } from '@event-api/platform/db/database';
import { ifPresent } from '@event-api/platform/db/list';
import { nameQuerySql, nameVectorSql } from '@event-api/platform/db/name-search';
import { partQuery, partVectorSql, similarNameQuery } from '@event-api/platform/db/part-search';
import { type Statement, statement } from '@event-api/platform/db/statement';
import {
  filterConditions,
  type RegistrationRow,
  registrationColumns,
} from '../registrations/registrations.queries.ts';
import {
  answerFilters,
  type SortedFilters,
  type StatusCount,
} from '../registrations/sorted-list.queries.ts';

// Every match is found with its own index, and the newest ones are chosen afterwards. `is true`
// keeps the planner from reading the whole event in its order instead.
const isOfEvent = '(r.business_unit_id = $1 and r.event_id = $2) is true';
const key = `select r.id, r.insertion_order, r.status, r.ticket_type_id, r.registered_at, r.responses
   from registration.registration r`;

// Of the matches. Without a value, a filter leaves out none. The first value has this position.
const fitsFilters = (first: number) =>
  [
    ifPresent(`$${first}::text`, filterConditions.typeWithStatus),
    ifPresent(`$${first + 1}::timestamptz`, filterConditions.from),
    ifPresent(`$${first + 2}::timestamptz`, filterConditions.before),
    ifPresent(`$${first + 3}::text`, filterConditions.noAnswer),
    ifPresent(`$${first + 4}::text`, filterConditions.anyAnswer),
    ifPresent(`$${first + 5}::jsonb`, filterConditions.answer),
  ].join(' and ');

const pageOf = (found: string) => `with found as materialized (${found}),
   page as materialized (
     select r.id from found r where ${ifPresent('$6::text', filterConditions.status)}
     and ${fitsFilters(7)} and r.insertion_order < coalesce((
       select k.insertion_order from registration.registration k
       where k.id = $4 and (k.business_unit_id = $1) is true and (k.event_id = $2) is true
     ), case when $4::text is null then 9223372036854775807 else 0::bigint end)
     order by r.insertion_order desc limit $5
   )
   select ${registrationColumns} from registration.registration r
   where r.id = any(array(select id from page)) and ${isOfEvent} order by r.insertion_order desc`;

const countOf = (found: string) => `with found as materialized (${found})
   select r.status, count(*)::int as count from found r where ${fitsFilters(4)} group by r.status`;

/** How the matches of each kind are found. `part` is the position of the part of an email. */
const finders = {
  // `registration_by_name`
  name: {
    name: 'name',
    found: () =>
      `${key} where ${nameVectorSql('r.event_id', 'r.name')} @@ ${nameQuerySql('$2::text', '$3::text')} and ${isOfEvent}`,
  },
  // The same index. `$3` is a query of words.
  similarName: {
    name: 'similar',
    found: () =>
      `${key} where ${nameVectorSql('r.event_id', 'r.name')} @@ $3::tsquery and ${isOfEvent}`,
  },
  // `registration_by_email_part`. `$3` is a query of its runs of characters.
  emailPart: {
    name: 'part',
    found: (part: string) =>
      `${key} where ${partVectorSql('r.event_id', 'r.normal_email')} @@ $3::tsquery and strpos(r.normal_email, ${part}) > 0 and ${isOfEvent}`,
  },
  // With the collation only `registration_of_email` serves the condition. No character sorts behind
  // the last one of Unicode.
  email: {
    name: 'email',
    found: () =>
      `${key} where r.event_id collate "C" = $2 and r.normal_email ~>=~ $3 and r.normal_email ~<~ ($3 || chr(1114111))
       and (r.business_unit_id = $1) is true`,
  },
  // With the expression only `registration_of_badge` serves the condition. A replaced code is found
  // as a whole.
  checkinCode: {
    name: 'code',
    found: () =>
      `${key} where r.event_id || ' ' = $2 || ' ' and r.checkin_code ~>=~ $3 and r.checkin_code ~<~ ($3 || chr(1114111))
         and (r.business_unit_id = $1) is true
       union ${key} where r.id in (
         select registration_id from registration.replaced_badge where checkin_code = $3 and (business_unit_id = $1) is true
       ) and ${isOfEvent}`,
  },
  // The primary key, `registration_of_attendee`, `registration_of_order`.
  id: {
    name: 'id',
    found: () =>
      `${key} where r.id = $3 and ${isOfEvent}
       union ${key} where r.attendee_id = $3 and ${isOfEvent}
       union ${key} where r.order_id = $3 and ${isOfEvent}`,
  },
} satisfies Record<string, { name: string; found: (part: string) => string }>;

type Kind = keyof typeof finders;

const statementsOf = <Row extends object>(
  prefix: string,
  whole: (found: string) => string,
  part: string,
): Record<Kind, Statement<Row>> =>
  Object.fromEntries(
    Object.entries(finders).map(([kind, { name, found }]) => [
      kind,
      statement<Row>(`${prefix}_${name}`, whole(found(part))),
    ]),
  ) as Record<Kind, Statement<Row>>;

const pages = statementsOf<RegistrationRow>('registration_search', pageOf, '$13');
const counts = statementsOf<StatusCount>('registration_search_count', countOf, '$10');

/**
 * Returns up to `limit` + 1 registrations of an event that match and fit every filter, newest
 * first, created before the one with the id `afterId`. The number of an order finds none.
 */
export async function findMatches(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  search: Search,
  page: { filters: SortedFilters; afterId: string | null; limit: number },
): Promise<RegistrationRow[]> {
  const matched = matchOf(eventId, search);
  if (!matched) return [];
  const { kind, value, part } = matched;
  const { status = null } = page.filters;
  const paged = [page.afterId, page.limit + 1, status, ...valuesOf(page.filters), ...part];
  return db.query(pages[kind], [businessUnitId, eventId, value, ...paged]);
}

/** The matches that fit every filter, by status. */
export async function countMatches(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  search: Search,
  filters: Omit<SortedFilters, 'status'>,
): Promise<StatusCount[]> {
  const matched = matchOf(eventId, search);
  if (!matched) return [];
  const { kind, value, part } = matched;
  const scope = [businessUnitId, eventId];
  return db.query(counts[kind], [...scope, value, ...valuesOf(filters), ...part]);
}

/** The values of a search, or null for what finds no registration. */
function matchOf(
  eventId: string,
  { by, text }: Search,
): { kind: Kind; value: string; part: readonly string[] } | null {
  switch (by) {
    case 'name':
    case 'email':
    case 'checkinCode':
    case 'id':
      return { kind: by, value: text, part: [] };
    case 'similarName':
      return { kind: by, value: similarNameQuery(eventId, text), part: [] };
    case 'emailPart':
      return { kind: by, value: partQuery(eventId, text), part: [text] };
    case 'orderNumber':
      return null;
  }
}

function valuesOf({ type, from, before, answer }: Omit<SortedFilters, 'status'>): unknown[] {
  const { noAnswer, anyAnswer, answer: ofQuestion } = answerFilters(answer);
  return [type, from, before, noAnswer, anyAnswer, ofQuestion].map((value) => value ?? null);
}
