import { limits } from '@event-api/contracts/http/fields';
import { getRoster } from '@event-api/contracts/http/roster';
import { permissionDenied } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { mayCall } from '@event-api/rules/may-call';
import { readRoster } from './read.ts';

export function rosterRoutes(
  app: HttpServer,
  { db, refresher }: { db: Database; refresher: ProjectionRefresher },
): void {
  app.route({
    ...getRoster,
    onRequest: requireEvent(refresher),
    handler: async (request) => {
      const { caller, params } = request;
      const { include, cursor, limit = limits.pageRows } = request.query;
      if (include === 'names' && !maySeeNames(caller, params)) throw permissionDenied();
      const { doors } = caller;
      return readRoster(db, scopeOf(request), { include, cursor, limit, doors });
    },
  });
}

const named = { ...getRoster, config: { ...getRoster.config, permission: 'names' as const } };

const maySeeNames = (caller: Caller, params: Record<string, string>): boolean =>
  mayCall(caller, named, params).outcome === 'allowed';
