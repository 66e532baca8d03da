import * as operations from '@event-api/contracts/operator/exhibitors';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from '../program/deps.ts';
import { createExhibitor, setExhibitorStatus, updateExhibitor } from './exhibitors.commands.ts';
import { exhibitorView } from './exhibitors.view.ts';

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
    handler: async ({ body }) => exhibitorView(await setExhibitorStatus(deps, body, 'confirmed')),
  });

  app.route({
    ...operations.declineExhibitor,
    handler: async ({ body }) => exhibitorView(await setExhibitorStatus(deps, body, 'declined')),
  });
}
