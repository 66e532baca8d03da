import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Search } from '@event-api/contracts/operator/search';
import type { Db } from '@event-api/platform/db/database';
import { ifPresent } from '@event-api/platform/db/list';
import { nameQuerySql, nameVectorSql } from '@event-api/platform/db/name-search';
import { partQuery, partVectorSql, similarNameQuery } from '@event-api/platform/db/part-search';
import { type Statement, statement } from '@event-api/platform/db/statement';
import {
  filterConditions,
  type RegistrationFilters,
  type RegistrationRow,
  registrationColumns,
} from '../registrations/registrations.queries.ts';

// Every match is found with its own index, and the newest ones are chosen afterwards. `is true`
// keeps the planner from reading the whole event in its order instead.
const isOfEvent = '(r.business_unit_id = $1 and r.event_id = $2) is true';
const key = `select r.id, r.insertion_order, r.status, r.ticket_type_id, r.registered_at
   from registration.registration r`;

// Of the matches. Without a value, a filter leaves out none.
const fitsFilters = [
  ifPresent('$6::text', filterConditions.status),
  ifPresent('$7::text', filterConditions.typeWithStatus),
  ifPresent('$8::timestamptz', filterConditions.from),
  ifPresent('$9::timestamptz', filterConditions.before),
].join(' and ');

const pageOf = (found: string) => `with found as materialized (${found}),
   page as materialized (
     select r.id from found r where ${fitsFilters} and r.insertion_order < coalesce((
       select k.insertion_order from registration.registration k
       where k.id = $4 and (k.business_unit_id = $1) is true and (k.event_id = $2) is true
     ), case when $4::text is null then 9223372036854775807 else 0::bigint end)
     order by r.insertion_order desc limit $5
   )
   select ${registrationColumns} from registration.registration r
   where r.id = any(array(select id from page)) and ${isOfEvent} order by r.insertion_order desc`;

const statements = {
  // `registration_by_name`
  name: statement<RegistrationRow>(
    'registration_search_name',
    pageOf(
      `${key} where ${nameVectorSql('r.event_id', 'r.name')} @@ ${nameQuerySql('$2::text', '$3::text')} and ${isOfEvent}`,
    ),
  ),
  // The same index. `$3` is a query of words.
  similarName: statement<RegistrationRow>(
    'registration_search_similar',
    pageOf(`${key} where ${nameVectorSql('r.event_id', 'r.name')} @@ $3::tsquery and ${isOfEvent}`),
  ),
  // `registration_by_email_part`. `$3` is a query of its runs of characters.
  emailPart: statement<RegistrationRow>(
    'registration_search_part',
    pageOf(
      `${key} where ${partVectorSql('r.event_id', 'r.normal_email')} @@ $3::tsquery and strpos(r.normal_email, $10) > 0 and ${isOfEvent}`,
    ),
  ),
  // With the collation only `registration_of_email` serves the condition. No character sorts behind
  // the last one of Unicode.
  email: statement<RegistrationRow>(
    'registration_search_email',
    pageOf(`${key} where r.event_id collate "C" = $2 and r.normal_email ~>=~ $3 and r.normal_email ~<~ ($3 || chr(1114111))
       and (r.business_unit_id = $1) is true`),
  ),
  // With the expression only `registration_of_badge` serves the condition. A replaced code is found
  // as a whole.
  checkinCode: statement<RegistrationRow>(
    'registration_search_code',
    pageOf(`${key} where r.event_id || ' ' = $2 || ' ' and r.checkin_code ~>=~ $3 and r.checkin_code ~<~ ($3 || chr(1114111))
         and (r.business_unit_id = $1) is true
       union ${key} where r.id in (
         select registration_id from registration.replaced_badge where checkin_code = $3 and (business_unit_id = $1) is true
       ) and ${isOfEvent}`),
  ),
  // The primary key, `registration_of_attendee`, `registration_of_order`.
  id: statement<RegistrationRow>(
    'registration_search_id',
    pageOf(`${key} where r.id = $3 and ${isOfEvent}
       union ${key} where r.attendee_id = $3 and ${isOfEvent}
       union ${key} where r.order_id = $3 and ${isOfEvent}`),
  ),
} satisfies Record<string, Statement<RegistrationRow>>;

export type SearchFilters = Pick<RegistrationFilters, 'status' | 'type' | 'from' | 'before'>;

/**
 * Returns up to `limit` + 1 registrations of an event that match and fit every filter, newest
 * first, created before the one with the id `afterId`. The number of an order finds none.
 */
export async function findMatches(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  search: Search,
  page: { filters: SearchFilters; afterId: string | null; limit: number },
): Promise<RegistrationRow[]> {
  const { status = null, type = null, from = null, before = null } = page.filters;
  const paged = [page.afterId, page.limit + 1, status, type, from, before];
  const read = (by: keyof typeof statements, value: string, ...more: string[]) =>
    db.query(statements[by], [businessUnitId, eventId, value, ...paged, ...more]);
  const { by, text } = search;
  switch (by) {
    case 'name':
    case 'email':
    case 'checkinCode':
    case 'id':
      return read(by, text);
    case 'similarName':
      return read(by, similarNameQuery(eventId, text));
    case 'emailPart':
      return read(by, partQuery(eventId, text), text);
    case 'orderNumber':
      return [];
  }
}
