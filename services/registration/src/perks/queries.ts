import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { incrementCodeVersion, redemptionCodeSource } from '../redemption-codes/queries.ts';
import { registrationSource } from '../registrations/queries.ts';
import type { PerkDelivery, PerkDetails } from './rules.ts';

// One row a source, in the order in which sources are shown. What is not copied here has no perk ids.
const sourcesOfRegistration = statement<PerkDelivery>(
  'perk_sources_of_registration',
  `with r as materialized (
     select id, ticket_type_id, redemption_code_id from registration.registration
     where business_unit_id = $1 and event_id = $2 and id = $3
   )
   select s.type, s.id, s."perkIds" from (
     select 1 as n, 'registration_type' as type, r.ticket_type_id as id, t.perk_ids as "perkIds"
       from r left join registration.ticket_type_copy t on t.id = r.ticket_type_id
       where r.ticket_type_id is not null
     union all
     select 2, 'addon', a.addon_id, c.perk_ids
       from (
         select distinct x.addon_id from r join registration.registration_addon x on x.registration_id = r.id
       ) a left join registration.addon_copy c on c.id = a.addon_id
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

/** What delivers perks to a registration: its ticket type, its add-ons, its code and its grants. */
export const findSourcesOfRegistration = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<PerkDelivery[]> =>
  db.query(sourcesOfRegistration, [businessUnitId, eventId, registrationId]);

const sourcesOfCode = statement<PerkDelivery>(
  'perk_sources_of_code',
  `with c as materialized (
     select id, ticket_type_id from registration.redemption_code
     where business_unit_id = $1 and event_id = $2 and id = $3
   )
   select 'registration_type' as type, c.ticket_type_id as id, t.perk_ids as "perkIds"
     from c left join registration.ticket_type_copy t on t.id = c.ticket_type_id
   union all
   select 'redemption_code', c.id,
     array(select p.perk_id from registration.redemption_code_perk p where p.redemption_code_id = c.id)
     from c`,
);

/** What delivers perks to whoever registers with a code: the ticket type that it unlocks, and the code. */
export const findSourcesOfCode = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  codeId: string,
): Promise<PerkDelivery[]> => db.query(sourcesOfCode, [businessUnitId, eventId, codeId]);

const perksByIds = statement<PerkDetails>(
  'known_perks',
  `select id, name, description from registration.perk_copy
   where business_unit_id = $1 and event_id = $2 and id = any($3)`,
);

/** Those of these perks that the event has, as far as is known here. */
export const findPerks = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  perkIds: readonly string[],
): Promise<PerkDetails[]> => db.query(perksByIds, [businessUnitId, eventId, perkIds]);

const addGrant = statement<{ perkId: string }>(
  'perk_grant_add',
  `insert into registration.perk_grant (registration_id, perk_id, business_unit_id)
   select r.id, $4, r.business_unit_id from registration.registration r
   where r.business_unit_id = $1 and r.event_id = $2 and r.id = $3
   on conflict do nothing returning perk_id as "perkId"`,
);

const removeGrant = statement<{ perkId: string }>(
  'perk_grant_remove',
  `delete from registration.perk_grant g using registration.registration r
   where r.business_unit_id = $1 and r.event_id = $2 and r.id = $3
     and g.registration_id = r.id and g.perk_id = $4
   returning g.perk_id as "perkId"`,
);

// Whoever keeps a copy of the registration is told that it has other perks by the version.
const touchRegistration = statement(
  'perk_grant_touch',
  `update registration.registration set
     version = greatest(version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
   where business_unit_id = $1 and event_id = $2 and id = $3`,
);

/** Gives a perk to a registration or takes it back; what is so already changes nothing. Emits: the registration. */
export async function writeGrant(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  { registrationId, perkId }: { registrationId: string; perkId: string },
  granted: boolean,
): Promise<void> {
  const registration = [businessUnitId, eventId, registrationId];
  const changed = await tx.query(granted ? addGrant : removeGrant, [...registration, perkId]);
  if (changed.length === 0) return;
  await tx.query(touchRegistration, registration);
  await registrationSource.emit(tx, [registrationId]);
}

const addCodePerk = statement<{ perkId: string }>(
  'perk_code_bind',
  `insert into registration.redemption_code_perk (redemption_code_id, perk_id, business_unit_id)
   select c.id, $4, c.business_unit_id from registration.redemption_code c
   where c.business_unit_id = $1 and c.event_id = $2 and c.id = $3
   on conflict do nothing returning perk_id as "perkId"`,
);

const removeCodePerk = statement<{ perkId: string }>(
  'perk_code_unbind',
  `delete from registration.redemption_code_perk p using registration.redemption_code c
   where c.business_unit_id = $1 and c.event_id = $2 and c.id = $3
     and p.redemption_code_id = c.id and p.perk_id = $4
   returning p.perk_id as "perkId"`,
);

/** Lets a code deliver a perk or no longer; what is so already changes nothing. Locks and emits: the code. */
export async function writeCodePerk(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  { codeId, perkId }: { codeId: string; perkId: string },
  bound: boolean,
): Promise<void> {
  const scope = { businessUnitId, eventId };
  // First, so that two changes of one code cannot tell of each other's half.
  await incrementCodeVersion(tx, scope, codeId);
  const change = bound ? addCodePerk : removeCodePerk;
  const changed = await tx.query(change, [businessUnitId, eventId, codeId, perkId]);
  if (changed.length > 0) await redemptionCodeSource.emit(tx, [codeId]);
}

const codesOfPerk = statement<{ id: string }>(
  'perk_codes',
  `select c.id from registration.redemption_code c
   join registration.redemption_code_perk p on p.redemption_code_id = c.id
   where c.business_unit_id = $1 and c.event_id = $2 and p.perk_id = $3 order by c.place`,
);

/** The codes that deliver a perk, oldest first. */
export async function findCodesOfPerk(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  perkId: string,
): Promise<string[]> {
  const rows = await db.query(codesOfPerk, [businessUnitId, eventId, perkId]);
  return rows.map(({ id }) => id);
}
