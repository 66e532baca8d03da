import { readTimezone } from '@event-api/contracts/internal/events';
import {
  countRegistrationsPerDay,
  type RegistrationDays,
} from '@event-api/contracts/operator/registration-days';
import { rethrowMissing } from '@event-api/platform/core/errors';
import { createSharedReads, longerForSlowReads } from '@event-api/platform/core/shared-reads';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { timeouts } from '../../timeouts.ts';
import { readDayCounts } from './per-day.queries.ts';

/** The most periods of events whose counts a process shares. */
const maxPeriods = 1000;

/**
 * Operators who watch one event share its counts, so that a rush of registrations does not pay for
 * each of them.
 */
export function registrationDayRoutes(
  app: HttpServer,
  { db, catalog }: { db: Database; catalog: ServiceClient },
): void {
  const share = createSharedReads<RegistrationDays>({
    intervalMs: longerForSlowReads(timeouts.dayCountIntervalMs),
    maxKeys: maxPeriods,
  });
  app.route({
    ...countRegistrationsPerDay,
    handler: ({ body: { businessUnitId, eventId, from, to } }) => {
      const scope = { businessUnitId, eventId };
      return share(JSON.stringify([businessUnitId, eventId, from, to]), async () => {
        const { timezone } = await catalog.call(readTimezone, scope).catch(rethrowMissing('event'));
        return { timezone, days: await readDayCounts(db, scope, { from, to, timezone }) };
      });
    },
  });
}
