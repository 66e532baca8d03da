import { listDeviceActivity } from '@event-api/contracts/operator/devices';
import { rethrowMissing } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { listSeenDevices } from './devices.queries.ts';
import { activityView } from './devices.view.ts';

export function deviceOperatorRoutes(
  app: HttpServer,
  { db, refresher }: { db: Db; refresher: ProjectionRefresher },
): void {
  app.route({
    ...listDeviceActivity,
    handler: async ({ body: { businessUnitId, eventId } }) => {
      const scope = { businessUnitId, eventId };
      await refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
      return { devices: (await listSeenDevices(db, scope)).map(activityView) };
    },
  });
}
