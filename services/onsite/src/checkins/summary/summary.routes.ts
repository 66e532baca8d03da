import type { CheckinSummary } from '@event-api/contracts/http/checkins';
import { getCheckinSummary } from '@event-api/contracts/http/checkins';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Database } from '@event-api/platform/db/database';
import { etagOf, matchesEtag, sendNotModified } from '@event-api/platform/http/etag';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { z } from 'zod';
import { readDoorCounts } from './summary.queries.ts';
import { summaryView } from './summary.view.ts';
import type { Tagged, Watch } from './watch.ts';

type Summary = z.input<typeof CheckinSummary>;

export type SummaryWatch = Watch<Summary>;

/** Reads the summary of an event with the tag of its content. */
export const readSummary =
  (db: Database) =>
  async (scope: EventScope): Promise<Tagged<Summary>> => {
    const summary = summaryView(await readDoorCounts(db, scope));
    return { summary, tag: etagOf(summary) };
  };

export function summaryRoutes(
  app: HttpServer,
  deps: { db: Database; refresher: ProjectionRefresher; summaries: SummaryWatch },
): void {
  const read = readSummary(deps.db);
  app.route({
    ...getCheckinSummary,
    onRequest: requireEvent(deps.refresher),
    handler: async (request, reply) => {
      const scope = scopeOf(request);
      const { wait = 0 } = request.query;
      const present = await read(scope);
      const isCurrent = matchesEtag(request.headers['if-none-match'], present.tag);
      const changed =
        isCurrent && wait > 0 ? await deps.summaries.next(scope, present.tag, wait * 1000) : null;
      const { summary, tag } = changed ?? present;
      reply.headers({ etag: tag, 'cache-control': 'private, no-cache' });
      if (isCurrent && !changed) return sendNotModified(reply);
      return summary;
    },
  });
}
