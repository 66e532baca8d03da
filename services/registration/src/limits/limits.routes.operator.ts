import { setEventLimits as operation } from '@event-api/contracts/operator/event-limits';
import type { HttpServer } from '@event-api/platform/http/server';
import type { RegistrationDeps } from '../deps.ts';
import { setEventLimits } from './set.ts';

export function limitRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({ ...operation, handler: ({ body }) => setEventLimits(deps, body) });
}
