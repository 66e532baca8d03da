import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

/** The dates of an event that limit its sessions. */
export interface EventDates {
  startsAt: Date | null;
  endsAt: Date | null;
}

const eventById = statement<EventDates>(
  'onsite_event',
  `select starts_at as "startsAt", ends_at as "endsAt" from onsite.event_projection where business_unit_id = $1 and id = $2`,
);

/** Returns the dates of the projected event, or null. */
export async function findEvent(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<EventDates | null> {
  const [row] = await db.query(eventById, [businessUnitId, eventId]);
  return row ?? null;
}

const perksByIds = statement<{ id: string }>(
  'onsite_perks',
  `select id from onsite.perk_projection where business_unit_id = $1 and event_id = $2 and id = any($3)`,
);

/** Returns those of these perks that are projected for the event. */
export async function findPerks(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  perkIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query(perksByIds, [businessUnitId, eventId, perkIds]);
  return rows.map(({ id }) => id);
}

const registrationById = statement<{ id: string }>(
  'onsite_registration',
  `select id from onsite.registration_projection where business_unit_id = $1 and event_id = $2 and id = $3`,
);

/** Returns whether this registration, in any status, is projected for the event. */
export async function hasRegistration(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<boolean> {
  return (await db.query(registrationById, [businessUnitId, eventId, registrationId])).length > 0;
}
