import type { setEventFeatures } from '@event-api/contracts/operator/events';
import type { Database } from '@event-api/platform/db/database';
import type { z } from 'zod';
import type { Event } from './event.entity.ts';
import { lockEvent } from './queries.ts';

/** Replaces an event's features; each stands once, in the order given. Errors: 404. Locks: the event's row. */
export async function setFeatures(
  db: Database,
  { businessUnitId, eventId, features }: z.output<typeof setEventFeatures.schema.body>,
): Promise<Event> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, businessUnitId, eventId, 'write');
    event.features = [...new Set(features)];
    await tx.em.flush();
    return event;
  });
}
