import { listConflicts } from '@event-api/contracts/operator/conflicts';
import { rethrowMissing } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { listNewestConflicts, newest } from './conflicts.queries.ts';
import { conflictView } from './conflicts.view.ts';

export function conflictRoutes(
  app: HttpServer,
  { db, refresher }: { db: Db; refresher: ProjectionRefresher },
): void {
  app.route({
    ...listConflicts,
    handler: async ({ body: { businessUnitId, eventId, limit, cursor } }) => {
      const scope = { businessUnitId, eventId };
      const list = `conflicts ${eventId}`;
      const after = decodeCursor(list, cursor, ['instant', 'string'] as const) ?? newest;
      await refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
      const rows = await listNewestConflicts(db, scope, after, limit);
      const { items, nextCursor } = paginate(
        rows,
        limit,
        conflictView,
        ({ recordedAt, conflictId }) => [recordedAt.toISOString(), conflictId],
        list,
      );
      return { conflicts: items, nextCursor };
    },
  });
}
