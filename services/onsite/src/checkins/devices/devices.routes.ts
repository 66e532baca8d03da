import { reportDevice } from '@event-api/contracts/http/devices';
import { permissionDenied } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { requireEvent } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { type Sighting, storeReport } from './devices.queries.ts';
import { reportView } from './devices.view.ts';
import { type Sightings, sightingOf } from './sightings.ts';

export interface DeviceRouteDeps {
  db: Db;
  refresher: ProjectionRefresher;
  sightings: Pick<Sightings, 'add'>;
}

/** Every request of a device to the service counts as seen. */
export function deviceRoutes(app: HttpServer, { db, refresher, sightings }: DeviceRouteDeps): void {
  app.addHook('onRequest', ({ caller }, _reply, done) => {
    sightings.add(caller);
    done();
  });

  app.route({
    ...reportDevice,
    onRequest: [async ({ caller }) => void requireDevice(caller), requireEvent(refresher)],
    handler: async ({ caller, body }, reply) => {
      const sighting = requireDevice(caller);
      const { unsentScans, rosterAgeMs } = body;
      const receivedMs = sighting.seenAt.getTime() - reply.elapsedTime;
      const rosterReadAt = rosterAgeMs === undefined ? null : new Date(receivedMs - rosterAgeMs);
      await storeReport(db, sighting, { unsentScans, rosterReadAt });
      return reportView({ unsentScans, rosterReadAt }, sighting.seenAt);
    },
  });
}

/** An unrestricted key has every permission, but it is no device. Errors: 403. */
function requireDevice(caller: Caller): Sighting {
  const sighting = sightingOf(caller);
  if (!sighting) throw permissionDenied();
  return sighting;
}
