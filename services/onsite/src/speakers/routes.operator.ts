import * as operations from '@event-api/contracts/operator/program';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from '../venues/commands.ts';
import { createSpeaker, updateSpeaker } from './commands.ts';
import { deleteSpeaker } from './delete.ts';
import { speakerView } from './view.ts';

export function speakerOperatorRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operations.createSpeaker,
    handler: async ({ body }, reply) =>
      reply.code(201).send(speakerView(await createSpeaker(deps, body))),
  });

  app.route({
    ...operations.updateSpeaker,
    handler: async ({ body }) => speakerView(await updateSpeaker(deps, body)),
  });

  app.route({
    ...operations.deleteSpeaker,
    handler: async ({ body }) => speakerView(await deleteSpeaker(deps, body)),
  });
}
