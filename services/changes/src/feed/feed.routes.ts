import * as operations from '@event-api/contracts/http/changes';
import { limits } from '@event-api/contracts/http/fields';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { encodeCursor } from './cursor.ts';
import { readHead } from './feed.queries.ts';
import { followFeed } from './follow.ts';
import type { Waiting } from './waiting.ts';

export function feedRoutes(app: HttpServer, deps: { db: Database; waiting: Waiting }): void {
  app.route({
    ...operations.listChanges,
    config: { ...operations.listChanges.config, skipReadAfter: true },
    handler: async ({ caller, query }) => {
      const { wait = 0, limit = limits.pageRows, ...filter } = query;
      const page = await followFeed(deps, caller, { ...filter, limit, waitSeconds: wait });
      return {
        changes: page.entries.map((entry) => JSON.parse(entry)),
        nextCursor: page.nextCursor,
        digest: page.digest,
      };
    },
  });

  app.route({
    ...operations.getChangesHead,
    config: { ...operations.getChangesHead.config, skipReadAfter: true },
    handler: async ({ caller }) => {
      const { epoch, sequence, digest } = await readHead(deps.db, caller.businessUnitId);
      return { sequence, cursor: encodeCursor({ epoch, sequence, digest }), digest, epoch };
    },
  });
}
