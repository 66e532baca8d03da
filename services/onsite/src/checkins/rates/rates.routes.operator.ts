import {
  type CheckinRates,
  countCheckinsPerMinute,
} from '@event-api/contracts/operator/checkin-rates';
import { boundedCache } from '@event-api/platform/core/bounded-cache';
import { systemClock } from '@event-api/platform/core/clock';
import { rethrowMissing } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { z } from 'zod';
import { timeouts } from '../../timeouts.ts';
import { readMinuteCounts } from './rates.queries.ts';
import { ratesView } from './rates.view.ts';

type Rates = z.input<typeof CheckinRates>;

/** The most events whose rates a process remembers. */
const maxEvents = 1000;

/**
 * Operators who watch one event share a read every two seconds, so that they do not slow down its
 * doors.
 */
export function rateRoutes(
  app: HttpServer,
  { db, refresher }: { db: Db; refresher: ProjectionRefresher },
): void {
  const recent = boundedCache<string, Promise<Rates>>(maxEvents, { ttl: timeouts.ratesTtlMs });
  app.route({
    ...countCheckinsPerMinute,
    handler: async ({ body: { businessUnitId, eventId } }) => {
      const scope = { businessUnitId, eventId };
      await refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
      const key = `${businessUnitId} ${eventId}`;
      const shared = recent.get(key);
      if (shared) return shared;
      const until = systemClock.now();
      const read = readMinuteCounts(db, scope, until).then((counts) => ratesView(counts, until));
      recent.set(key, read);
      read.catch(() => recent.delete(key));
      return read;
    },
  });
}
