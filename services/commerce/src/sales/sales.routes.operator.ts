import { readTimezone } from '@event-api/contracts/internal/events';
import { type SalesTotal, summarizeSales } from '@event-api/contracts/operator/sales';
import { rethrowMissing } from '@event-api/platform/core/errors';
import { createSharedReads, longerForSlowReads } from '@event-api/platform/core/shared-reads';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { timeouts } from '../timeouts.ts';
import { readEventSales, readSales } from './sales.queries.ts';
import { totalsOf } from './sales.rules.ts';

/** The time zone of a summary of several events. */
const commonTimezone = 'UTC';

/** The most events whose sums a process shares. */
const maxEvents = 1000;

export function salesRoutes(
  app: HttpServer,
  { db, catalog }: { db: Database; catalog: ServiceClient },
): void {
  const share = createSharedReads<SalesTotal[]>({
    intervalMs: longerForSlowReads(timeouts.eventSalesIntervalMs),
    maxKeys: maxEvents,
  });
  app.route({
    ...summarizeSales,
    handler: async ({ body: { businessUnitId, eventId, from, to, by } }) => {
      const timezone =
        eventId === undefined
          ? commonTimezone
          : await timezoneOf(catalog, { businessUnitId, eventId });
      const [rows, eventTotals] = await Promise.all([
        readSales(db, by, { businessUnitId, eventId, from, to, timezone }),
        eventId !== undefined
          ? share(`${businessUnitId} ${eventId}`, () =>
              readEventSales(db, { businessUnitId, eventId }),
            )
          : undefined,
      ]);
      return { timezone, rows, totals: totalsOf(rows), ...(eventTotals && { eventTotals }) };
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
