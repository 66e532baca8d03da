import { limits } from '@event-api/contracts/http/fields';
import * as operations from '@event-api/contracts/http/program';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from '../venues/commands.ts';
import { listNewestSpeakers, readSpeaker } from './queries.ts';
import { speakerView } from './view.ts';

export function speakerRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operations.listSpeakers,
    onRequest: requireEvent(deps.refresher),
    handler: async (request) => {
      const { limit = limits.pageRows, cursor } = request.query;
      const scope = scopeOf(request);
      const list = `speakers ${scope.eventId}`;
      const after = decodeCursor(list, cursor, ['string'] as const);
      const rows = await listNewestSpeakers(deps.db, scope, after?.[0] ?? null, limit);
      const { items, nextCursor } = paginate(rows, limit, speakerView, (row) => [row.id], list);
      return { speakers: items, nextCursor };
    },
  });

  app.route({
    ...operations.getSpeaker,
    handler: async (request) =>
      speakerView(await readSpeaker(deps.db, scopeOf(request), request.params.id)),
  });
}
