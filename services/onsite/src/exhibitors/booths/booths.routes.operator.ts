import * as operations from '@event-api/contracts/operator/exhibitors';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from '../../program/deps.ts';
import { exhibitorView } from '../exhibitors.view.ts';
import { allocateBooth, releaseBooth } from './booths.commands.ts';

export function boothOperatorRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operations.allocateBooth,
    handler: async ({ body }) => exhibitorView(await allocateBooth(deps, body)),
  });

  app.route({
    ...operations.releaseBooth,
    handler: async ({ body }) => exhibitorView(await releaseBooth(deps, body)),
  });
}
