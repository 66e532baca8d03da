import { limits } from '@event-api/contracts/http/fields';
import * as operations from '@event-api/contracts/http/program';
import { Speaker } from '@event-api/contracts/http/program';
import * as operatorOperations from '@event-api/contracts/operator/program';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import { viewOf } from '@event-api/platform/http/record-view';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from '../program/deps.ts';
import { createSpeaker, deleteSpeaker, updateSpeaker } from './speakers.commands.ts';
import { listNewestSpeakers, readSpeaker, speakerColumns } from './speakers.queries.ts';

/** The response body of a speaker. */
export const speakerView = viewOf(Speaker, speakerColumns);

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

export function speakerOperatorRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operatorOperations.createSpeaker,
    handler: async ({ body }, reply) =>
      reply.code(201).send(speakerView(await createSpeaker(deps, body))),
  });

  app.route({
    ...operatorOperations.updateSpeaker,
    handler: async ({ body }) => speakerView(await updateSpeaker(deps, body)),
  });

  app.route({
    ...operatorOperations.deleteSpeaker,
    handler: async ({ body }) => speakerView(await deleteSpeaker(deps, body)),
  });
}
