import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Search } from '@event-api/contracts/operator/search';
import type { Db } from '@event-api/platform/db/database';
import { ifPresent } from '@event-api/platform/db/list';
import { nameQuerySql, nameVectorSql } from '@event-api/platform/db/name-search';
import { partQuery, partVectorSql, similarNameQuery } from '@event-api/platform/db/part-search';
import { statement } from '@event-api/platform/db/statement';
import {
  filterConditions,
  type OrderFilters,
  type OrderRow,
  selectOrders,
} from '../orders/orders.queries.ts';

// Every match is found with its own index, and the newest ones are chosen afterwards. `is true`
// keeps the planner from reading the whole event in its order instead.
const isOfEvent = '(o.business_unit_id = $1 and o.event_id = $2) is true';
const key = `select o.id, o.placed_at, o.status, o.hold_expires_at, o.intent, o.settlement_id
   from commerce.customer_order o`;
const newestFirst = 'o.placed_at desc, o.id desc';

// Of the matches. Without a value, a filter leaves out none.
const fitsFilters = [
  ifPresent('$7::text', filterConditions.status),
  ifPresent('$8::timestamptz', filterConditions.from),
  ifPresent('$9::timestamptz', filterConditions.before),
].join(' and ');

const pageOf = (found: string) => `with found as materialized (${found}),
   page as materialized (
     select o.id from found o where (o.placed_at, o.id) < ($4::timestamptz, $5::text) and ${fitsFilters}
     order by ${newestFirst} limit $6
   )
   ${selectOrders('now()')} where o.id = any(array(select id from page)) and ${isOfEvent} order by ${newestFirst}`;

const statements = {
  // `customer_order_by_name`
  name: statement<OrderRow>(
    'order_search_name',
    pageOf(
      `${key} where ${nameVectorSql('o.event_id', 'o.name')} @@ ${nameQuerySql('$2::text', '$3::text')} and ${isOfEvent}`,
    ),
  ),
  // The same index. `$3` is a query of words.
  similarName: statement<OrderRow>(
    'order_search_similar',
    pageOf(`${key} where ${nameVectorSql('o.event_id', 'o.name')} @@ $3::tsquery and ${isOfEvent}`),
  ),
  // `customer_order_by_email_part`. `$3` is a query of its runs of characters.
  emailPart: statement<OrderRow>(
    'order_search_part',
    pageOf(
      `${key} where ${partVectorSql('o.event_id', 'lower(o.email collate "C")')} @@ $3::tsquery and strpos(lower(o.email collate "C"), $10) > 0 and ${isOfEvent}`,
    ),
  ),
  // With the collation only `customer_order_by_email` serves the condition. No character sorts
  // behind the last one of Unicode.
  email: statement<OrderRow>(
    'order_search_email',
    pageOf(`${key} where o.event_id collate "C" = $2 and lower(o.email collate "C") >= $3
       and lower(o.email collate "C") < ($3 || chr(1114111))
       and (o.business_unit_id = $1) is true`),
  ),
  // With the expression only `customer_order_by_number` serves the condition.
  orderNumber: statement<OrderRow>(
    'order_search_number',
    pageOf(`${key} where o.event_id || ' ' = $2 || ' ' and o.order_number ~>=~ $3 and o.order_number ~<~ ($3 || chr(1114111))
       and (o.business_unit_id = $1) is true`),
  ),
  id: statement<OrderRow>('order_search_id', pageOf(`${key} where o.id = $3 and ${isOfEvent}`)),
};

export type SearchFilters = Pick<OrderFilters, 'status' | 'from' | 'before'>;

/**
 * Returns up to `limit` + 1 orders of an event that match and fit every filter, newest first, after
 * a key. The code of a badge finds none.
 */
export async function findMatches(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  search: Search,
  page: {
    filters: SearchFilters;
    after: readonly [placedAt: string, id: string];
    limit: number;
  },
): Promise<OrderRow[]> {
  const { status = null, from = null, before = null } = page.filters;
  const paged = [...page.after, page.limit + 1, status, from, before];
  const read = (by: keyof typeof statements, value: string, ...more: string[]) =>
    db.query(statements[by], [businessUnitId, eventId, value, ...paged, ...more]);
  const { by, text } = search;
  switch (by) {
    case 'name':
    case 'email':
    case 'orderNumber':
    case 'id':
      return read(by, text);
    case 'similarName':
      return read(by, similarNameQuery(eventId, text));
    case 'emailPart':
      return read(by, partQuery(eventId, text), text);
    case 'checkinCode':
      return [];
  }
}
