import { limits } from '@event-api/contracts/http/fields';
import type { Db } from '@event-api/platform/db/database';
import { decodeCursor, page } from '@event-api/platform/http/page';
import { listNewestEvents } from './queries.ts';
import { eventView } from './view.ts';

/** One page of the events of a unit, newest first. Errors: 400 for a cursor of another list. */
export async function eventPage(
  db: Db,
  businessUnitId: string,
  { limit = limits.pageRows, cursor }: { limit?: number | undefined; cursor?: string | undefined },
) {
  const after = decodeCursor('events', cursor, ['instant', 'string'] as const);
  const rows = await listNewestEvents(db, businessUnitId, after, limit);
  const { items, nextCursor } = page(
    rows,
    limit,
    eventView,
    (row) => [row.createdAt.toISOString(), row.id],
    'events',
  );
  return { events: items, nextCursor };
}
