import * as operations from '@event-api/contracts/operator/exhibitors';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from '../venues/commands.ts';
import { allocateBooth, releaseBooth } from './booths/commands.ts';
import { createExhibitor, decideExhibitor, updateExhibitor } from './commands.ts';
import { addMember, removeMember } from './roster/commands.ts';
import { exhibitorView } from './view.ts';

export function exhibitorOperatorRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operations.createExhibitor,
    handler: async ({ body }, reply) =>
      reply.code(201).send(exhibitorView(await createExhibitor(deps, body))),
  });

  app.route({
    ...operations.updateExhibitor,
    handler: async ({ body }) => exhibitorView(await updateExhibitor(deps, body)),
  });

  app.route({
    ...operations.confirmExhibitor,
    handler: async ({ body }) => exhibitorView(await decideExhibitor(deps, body, 'confirmed')),
  });

  app.route({
    ...operations.declineExhibitor,
    handler: async ({ body }) => exhibitorView(await decideExhibitor(deps, body, 'declined')),
  });

  app.route({
    ...operations.addMember,
    handler: async ({ body }) => exhibitorView(await addMember(deps, body)),
  });

  app.route({
    ...operations.removeMember,
    handler: async ({ body }) => exhibitorView(await removeMember(deps, body)),
  });

  app.route({
    ...operations.allocateBooth,
    handler: async ({ body }) => exhibitorView(await allocateBooth(deps, body)),
  });

  app.route({
    ...operations.releaseBooth,
    handler: async ({ body }) => exhibitorView(await releaseBooth(deps, body)),
  });
}
