import { readTimezone } from '@event-api/contracts/internal/events';
import { summarizeSales } from '@event-api/contracts/operator/sales';
import { rethrowMissing } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { readSales } from './queries.ts';
import { totalsOf } from './rules.ts';

/** The time zone of a summary of several events. */
const commonTimezone = 'UTC';

export function salesRoutes(
  app: HttpServer,
  { db, catalog }: { db: Database; catalog: ServiceClient },
): void {
  app.route({
    ...summarizeSales,
    handler: async ({ body: { businessUnitId, eventId, from, to, by } }) => {
      const timezone =
        eventId === undefined
          ? commonTimezone
          : await timezoneOf(catalog, { businessUnitId, eventId });
      const rows = await readSales(db, by, { businessUnitId, eventId, from, to, timezone });
      return { timezone, rows, totals: totalsOf(rows) };
    },
  });
}

async function timezoneOf(
  catalog: ServiceClient,
  scope: { businessUnitId: string; eventId: string },
): Promise<string> {
  const { timezone } = await catalog.call(readTimezone, scope).catch(rethrowMissing('event'));
  return timezone;
}
