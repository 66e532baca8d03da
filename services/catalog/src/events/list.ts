import type { EventStatus } from '@event-api/contracts/http/events';
import type { Db } from '@event-api/platform/db/database';
import {
  type ListDefinition,
  type ListOrder,
  listStatement,
  oldestChangeFirst,
} from '@event-api/platform/db/list';
import { latestFirstKey } from '@event-api/platform/http/list-page';
import { type EventRow, eventColumns } from './events.queries.ts';

type Filter = 'status' | 'ids';

const list: ListDefinition<EventRow, Filter> = {
  name: 'events',
  select: `select ${eventColumns.sql} from catalog.event e`,
  scope: ['e.business_unit_id = $1'],
  filters: {
    status: (status) => `e.status = ${status}`,
    ids: (ids) => `e.id = any(${ids}::text[])`,
  },
};

/** The sort key of the list, newest first. The id orders events of the same millisecond. */
export const newestEventsKey = latestFirstKey(
  ({ createdAt }: { id: string; createdAt: Date }) => createdAt,
);

// Uses the indexes `event_newest_first` and `event_by_status`.
const own: ListOrder<Filter> = {
  name: '',
  after: (createdAt, id) => `(e.created_at, e.id) < (${createdAt}::timestamptz, ${id}::text)`,
  by: 'e.created_at desc, e.id desc',
  indexes: [{ filters: ['status'] }],
};

const orders = { own, changes: oldestChangeFirst<Filter>('e') };

/** Returns up to `limit` + 1 events of a business unit that match every filter. */
export const listEvents = (
  db: Db,
  businessUnitId: string,
  order: keyof typeof orders,
  page: {
    filters: { status?: EventStatus | undefined; ids?: readonly string[] | undefined };
    after: readonly unknown[];
    limit: number;
  },
): Promise<EventRow[]> =>
  db.query(...listStatement(list, orders[order], { scope: [businessUnitId], ...page }));
