import type { PerkSource } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { ProjectedEvent } from './event.projection.ts';

const dates = columnsOf(ProjectedEvent, 'e', { only: ['startsAt', 'endsAt'] });

/** The dates of an event that limit its sessions. */
export type EventDates = RowOf<typeof dates>;

const eventById = statement<EventDates>(
  'onsite_event',
  `select ${dates.sql} from onsite.event_projection e where e.business_unit_id = $1 and e.id = $2`,
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

export interface NamedPerk {
  id: string;
  name: string | null;
}

const perkNames = statement<NamedPerk>(
  'onsite_perk_names',
  `select id, name from onsite.perk_projection where business_unit_id = $1 and event_id = $2 and id = any($3)`,
);

/** Returns these perks with their names, in their order. A perk that is not projected has none. */
export async function namePerks(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  perkIds: readonly string[],
): Promise<NamedPerk[]> {
  const rows =
    perkIds.length > 0 ? await db.query(perkNames, [businessUnitId, eventId, perkIds]) : [];
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return perkIds.map((id) => ({ id, name: names.get(id) ?? null }));
}

/** A source of perks of a registration, with what it delivers. */
export interface PerkDelivery extends PerkSource {
  perkIds: readonly string[];
}

const perkSources = statement<PerkDelivery>(
  'onsite_perk_sources',
  `select s.type, s.id, s.perk_ids as "perkIds" from onsite.registration_projection r cross join lateral (
     select 1 as n, 'registration_type' as type, t.id, t.perk_ids
       from onsite.ticket_type_projection t where t.id = r.ticket_type_id
     union all
     select 2, 'addon', a.id, a.perk_ids from onsite.addon_projection a where a.id = any(r.addon_ids)
     union all
     select 3, 'redemption_code', k.id, k.perk_ids
       from onsite.redemption_code_projection k where k.id = r.redemption_code_id
     union all
     select 4, 'grant', r.id, r.granted_perk_ids
   ) s where (r.business_unit_id = $1) is true and (r.event_id = $2) is true and r.id = $3 order by s.n, s.id`,
);

/** Returns the projected sources of a registration's perks. */
export const findPerkSources = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<PerkDelivery[]> => db.query(perkSources, [businessUnitId, eventId, registrationId]);

const registrationById = statement<{ id: string }>(
  'onsite_registration',
  `select id from onsite.registration_projection where (business_unit_id = $1) is true and (event_id = $2) is true and id = $3`,
);

/** Returns whether this registration, in any status, is projected for the event. */
export async function hasRegistration(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<boolean> {
  return (await db.query(registrationById, [businessUnitId, eventId, registrationId])).length > 0;
}
