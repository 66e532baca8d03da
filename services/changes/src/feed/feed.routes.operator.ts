import { findChanges } from '@event-api/contracts/operator/changes';
import type { Db } from '@event-api/platform/db/database';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { listName } from '@event-api/platform/http/list-page';
import type { HttpServer } from '@event-api/platform/http/server';
import { findChangesOfObject } from './feed.queries.ts';

export function feedOperatorRoutes(app: HttpServer, { db }: { db: Db }): void {
  app.route({
    ...findChanges,
    handler: async ({ body }) => {
      const { businessUnitId, objectId, limit, cursor } = body;
      const list = listName('change.find', body);
      const [before = Number.MAX_SAFE_INTEGER] =
        decodeCursor(list, cursor, ['version'] as const) ?? [];
      const rows = await findChangesOfObject(db, businessUnitId, objectId, { before, limit });
      const view = ({ entry }: { entry: string }) => JSON.parse(entry);
      const { items, nextCursor } = paginate(rows, limit, view, (row) => [row.sequence], list);
      return { changes: items, nextCursor };
    },
  });
}
