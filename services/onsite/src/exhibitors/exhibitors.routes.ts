import * as operations from '@event-api/contracts/http/exhibitors';
import { limits } from '@event-api/contracts/http/fields';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from '../program/deps.ts';
import {
  findExhibitorOfMember,
  listNewestExhibitors,
  readExhibitor,
} from './exhibitors.queries.ts';
import { exhibitorView } from './exhibitors.view.ts';

export function exhibitorRoutes(app: HttpServer, deps: ProgramDeps): void {
  const { db } = deps;

  app.route({
    ...operations.listExhibitors,
    onRequest: requireEvent(deps.refresher),
    handler: async (request) => {
      const { limit = limits.pageRows, cursor, registrationId } = request.query;
      const scope = scopeOf(request);
      const list = `exhibitors ${scope.eventId} ${registrationId ?? ''}`;
      const after = decodeCursor(list, cursor, ['string'] as const);
      const rows =
        registrationId === undefined
          ? await listNewestExhibitors(db, scope, after?.[0] ?? null, limit)
          : await findExhibitorOfMember(db, scope, registrationId);
      const { items, nextCursor } = paginate(rows, limit, exhibitorView, (row) => [row.id], list);
      return { exhibitors: items, nextCursor };
    },
  });

  app.route({
    ...operations.getExhibitor,
    handler: async (request) =>
      exhibitorView(await readExhibitor(db, scopeOf(request), request.params.exhibitorId)),
  });
}
