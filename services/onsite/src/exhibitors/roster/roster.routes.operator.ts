import * as operations from '@event-api/contracts/operator/exhibitors';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from '../../program/deps.ts';
import { exhibitorView } from '../exhibitors.view.ts';
import { addMember, removeMember } from './roster.commands.ts';

export function rosterOperatorRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operations.addMember,
    handler: async ({ body }) => exhibitorView(await addMember(deps, body)),
  });

  app.route({
    ...operations.removeMember,
    handler: async ({ body }) => exhibitorView(await removeMember(deps, body)),
  });
}
