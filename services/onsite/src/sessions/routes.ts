import { limits } from '@event-api/contracts/http/fields';
import * as operations from '@event-api/contracts/http/program';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from '../venues/commands.ts';
import { listAgenda, readSession, type SessionRow } from './queries.ts';
import { sessionView } from './view.ts';

const sortKeyOf = (row: SessionRow) => [row.startsAt.toISOString(), row.id] as const;

export function sessionRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operations.listSessions,
    onRequest: requireEvent(deps.refresher),
    handler: async (request) => {
      const { limit = limits.pageRows, cursor } = request.query;
      const scope = scopeOf(request);
      const list = `sessions ${scope.eventId}`;
      const after = decodeCursor(list, cursor, ['instant', 'string'] as const);
      const rows = await listAgenda(deps.db, scope, after, limit);
      const { items, nextCursor } = paginate(rows, limit, sessionView, sortKeyOf, list);
      return { sessions: items, nextCursor };
    },
  });

  app.route({
    ...operations.getSession,
    handler: async (request) =>
      sessionView(await readSession(deps.db, scopeOf(request), request.params.id)),
  });
}
