import * as operations from '@event-api/contracts/operator/program';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from '../venues/commands.ts';
import { createSession, updateSession } from './commands.ts';
import { deleteSession } from './delete.ts';
import { sessionView } from './view.ts';

export function sessionOperatorRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operations.createSession,
    handler: async ({ body }, reply) =>
      reply.code(201).send(sessionView(await createSession(deps, body))),
  });

  app.route({
    ...operations.updateSession,
    handler: async ({ body }) => sessionView(await updateSession(deps, body)),
  });

  app.route({
    ...operations.deleteSession,
    handler: async ({ body }) => sessionView(await deleteSession(deps, body)),
  });
}
