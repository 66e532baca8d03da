import type { EventStatus } from '@event-api/contracts/http/events';
import type { Db } from '@event-api/platform/db/database';
import { type ListParameters, listName, readPage } from '@event-api/platform/http/list-page';
import { eventView } from './events.view.ts';
import { listEvents, newestEventsKey } from './list.ts';

/**
 * One page of the events of a business unit, or of those whose ids are given. Errors: 400 for a
 * cursor of another list or of other filters.
 */
export async function eventPage(
  db: Db,
  businessUnitId: string,
  query: ListParameters & { status?: EventStatus | undefined },
  ids: readonly string[] | null = null,
) {
  const filters = { status: query.status, ids: ids ?? undefined };
  const { items, nextCursor } = await readPage({
    list: listName('events', query),
    query,
    own: newestEventsKey,
    read: (order, after, limit) => listEvents(db, businessUnitId, order, { filters, after, limit }),
    view: eventView,
  });
  return { events: items, nextCursor };
}
