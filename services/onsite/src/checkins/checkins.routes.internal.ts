import { readCheckedIn } from '@event-api/contracts/internal/checkins';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { findCheckinsOf } from './checkins.queries.ts';

export function checkinInternalRoutes(app: HttpServer, { db }: { db: Database }): void {
  app.route({
    ...readCheckedIn,
    handler: async ({ body: { businessUnitId, registrationId } }) => {
      const found = await findCheckinsOf(
        db,
        { businessUnitId, registrationIds: [registrationId] },
        1,
      );
      return { checkedIn: found.length > 0 };
    },
  });
}
