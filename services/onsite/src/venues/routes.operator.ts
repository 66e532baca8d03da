import * as operations from '@event-api/contracts/operator/program';
import type { HttpServer } from '@event-api/platform/http/server';
import { createVenue, type ProgramDeps, updateVenue } from './commands.ts';
import { deleteVenue } from './delete.ts';
import { venueView } from './view.ts';

export function venueOperatorRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operations.createVenue,
    handler: async ({ body }, reply) =>
      reply.code(201).send(venueView(await createVenue(deps, body))),
  });

  app.route({
    ...operations.updateVenue,
    handler: async ({ body }) => venueView(await updateVenue(deps, body)),
  });

  app.route({
    ...operations.deleteVenue,
    handler: async ({ body }) => venueView(await deleteVenue(deps, body)),
  });
}
