import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db, Tx } from '@event-api/platform/db/database';
import { initialVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { registrationSource } from '../registrations/registrations.queries.ts';
import type { PerkDelivery, PerkDetails } from './perks.rules.ts';

// One row per source, in the order of the response. A source that is missing in the projections has
// null as perk ids.
const sourcesOfRegistration = statement<PerkDelivery>(
  'perk_sources_of_registration',
  `with r as materialized (
     select id, ticket_type_id, redemption_code_id from registration.registration
     where (business_unit_id = $1) is true and (event_id = $2) is true and id = $3
   )
   select s.type, s.id, s."perkIds" from (
     select 1 as n, 'registration_type' as type, r.ticket_type_id as id, t.perk_ids as "perkIds"
       from r left join registration.ticket_type_projection t on t.id = r.ticket_type_id
       where r.ticket_type_id is not null
     union all
     select 2, 'addon', a.addon_id, c.perk_ids
       from (
         select distinct x.addon_id from r join registration.registration_addon x on x.registration_id = r.id
       ) a left join registration.addon_projection c on c.id = a.addon_id
     union all
     select 3, 'redemption_code', r.redemption_code_id,
         array(select p.perk_id from registration.redemption_code_perk p
           where p.redemption_code_id = r.redemption_code_id)
       from r where r.redemption_code_id is not null
     union all
     select 4, 'grant', r.id,
         array(select g.perk_id from registration.perk_grant g where g.registration_id = r.id)
       from r
   ) s order by s.n, s.id`,
);

/** The sources of a registration's perks: its ticket type, its add-ons, its code and its grants. */
export const findSourcesOfRegistration = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<PerkDelivery[]> =>
  db.query(sourcesOfRegistration, [businessUnitId, eventId, registrationId]);

/** A source of perks of one of several registrations. */
export interface PerkDeliveryTo extends PerkDelivery {
  registrationId: string;
}

const sourcesOfRegistrations = statement<PerkDeliveryTo>(
  'perk_sources_of_registrations',
  `with r as materialized (
     select id, ticket_type_id, redemption_code_id from registration.registration
     where (business_unit_id = $1) is true and (event_id = $2) is true and id = any($3)
   )
   select r.id as "registrationId", 'registration_type' as type, r.ticket_type_id as id, t.perk_ids as "perkIds"
     from r left join registration.ticket_type_projection t on t.id = r.ticket_type_id
     where r.ticket_type_id is not null
   union all
   select r.id, 'addon', x.addon_id, c.perk_ids
     from r join registration.registration_addon x on x.registration_id = r.id
     left join registration.addon_projection c on c.id = x.addon_id
   union all
   select r.id, 'redemption_code', r.redemption_code_id,
       array(select p.perk_id from registration.redemption_code_perk p
         where p.redemption_code_id = r.redemption_code_id)
     from r where r.redemption_code_id is not null
   union all
   select r.id, 'grant', r.id,
       array(select g.perk_id from registration.perk_grant g where g.registration_id = r.id)
     from r`,
);

/** The sources of the perks of several registrations, in no order. */
export const findSourcesOfRegistrations = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationIds: readonly string[],
): Promise<PerkDeliveryTo[]> =>
  db.query(sourcesOfRegistrations, [businessUnitId, eventId, registrationIds]);

const sourcesOfCode = statement<PerkDelivery>(
  'perk_sources_of_code',
  `with c as materialized (
     select id, ticket_type_id from registration.redemption_code
     where (business_unit_id = $1) is true and (event_id = $2) is true and id = $3
   )
   select 'registration_type' as type, c.ticket_type_id as id, t.perk_ids as "perkIds"
     from c left join registration.ticket_type_projection t on t.id = c.ticket_type_id
   union all
   select 'redemption_code', c.id,
     array(select p.perk_id from registration.redemption_code_perk p where p.redemption_code_id = c.id)
     from c`,
);

/**
 * The sources of perks for a registration with a code: the ticket type that it unlocks, and the
 * code.
 */
export const findSourcesOfCode = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  codeId: string,
): Promise<PerkDelivery[]> => db.query(sourcesOfCode, [businessUnitId, eventId, codeId]);

const perksByIds = statement<PerkDetails>(
  'perks_by_ids',
  `select id, name, description from registration.perk_projection
   where business_unit_id = $1 and event_id = $2 and id = any($3)`,
);

/** Returns those of these perks that the projection has for the event. */
export const findPerks = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  perkIds: readonly string[],
): Promise<PerkDetails[]> => db.query(perksByIds, [businessUnitId, eventId, perkIds]);

const addGrant = statement<{ perkId: string }>(
  'perk_grant_add',
  `insert into registration.perk_grant (registration_id, perk_id, business_unit_id)
   select r.id, $4, r.business_unit_id from registration.registration r
   where (r.business_unit_id = $1) is true and (r.event_id = $2) is true and r.id = $3
   on conflict do nothing returning perk_id as "perkId"`,
);

const removeGrant = statement<{ perkId: string }>(
  'perk_grant_remove',
  `delete from registration.perk_grant g using registration.registration r
   where (r.business_unit_id = $1) is true and (r.event_id = $2) is true and r.id = $3
     and g.registration_id = r.id and g.perk_id = $4
   returning g.perk_id as "perkId"`,
);

// A new version marks the change of perks for services with a projection of the registration.
const incrementRegistrationVersion = statement(
  'perk_grant_version',
  `update registration.registration set
     version = greatest(version + 1, ${initialVersionSql})
   where (business_unit_id = $1) is true and (event_id = $2) is true and id = $3`,
);

/** Adds or removes a grant. A repeated call changes nothing. Emits: the registration. */
export async function writeGrant(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  { registrationId, perkId }: { registrationId: string; perkId: string },
  isGranted: boolean,
): Promise<void> {
  const registration = [businessUnitId, eventId, registrationId];
  const changed = await tx.query(isGranted ? addGrant : removeGrant, [...registration, perkId]);
  if (changed.length === 0) return;
  await tx.query(incrementRegistrationVersion, registration);
  await registrationSource.emit(tx, [registrationId]);
}
