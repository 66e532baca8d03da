import { limits } from '@event-api/contracts/http/fields';
import * as operations from '@event-api/contracts/http/program';
import { Session } from '@event-api/contracts/http/program';
import * as operatorOperations from '@event-api/contracts/operator/program';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import { viewOf } from '@event-api/platform/http/record-view';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from '../program/deps.ts';
import { createSession, deleteSession, updateSession } from './sessions.commands.ts';
import { listAgenda, readSession, type SessionRow, sessionColumns } from './sessions.queries.ts';

const sortKeyOf = (row: SessionRow) => [row.startsAt.toISOString(), row.id] as const;

/** The response body of a session. */
export const sessionView = viewOf(Session, sessionColumns);

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

export function sessionOperatorRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operatorOperations.createSession,
    handler: async ({ body }, reply) =>
      reply.code(201).send(sessionView(await createSession(deps, body))),
  });

  app.route({
    ...operatorOperations.updateSession,
    handler: async ({ body }) => sessionView(await updateSession(deps, body)),
  });

  app.route({
    ...operatorOperations.deleteSession,
    handler: async ({ body }) => sessionView(await deleteSession(deps, body)),
  });
}
