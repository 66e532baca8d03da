import type { EventStatus } from '@event-api/contracts/http/events';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { redemptionCodeSnapshot } from '@event-api/contracts/messages/registration';
import { columnsOf, jsonOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { recordReader } from '@event-api/platform/db/record';
import { nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import { EventProjection } from '../projections/event.projection.ts';
import { TicketTypeProjection } from '../projections/ticket-type.projection.ts';
import { RedemptionCode } from './redemption-code.entity.ts';

/** The columns of a redemption code that the API returns, and its version. */
export const codeColumns = columnsOf(RedemptionCode, 'c', {
  omit: ['businessUnitId', 'codeKey', 'batchId', 'insertionOrder'],
});
export type CodeRow = RowOf<typeof codeColumns>;

/** Reads one code. */
export const { read: readCode } = recordReader<CodeRow>({
  name: 'redemption_code_by_id',
  select: `select ${codeColumns.sql} from registration.redemption_code c`,
  alias: 'c',
  kind: 'redemptionCode',
});

const codesById = statement<CodeRow>(
  'redemption_codes_by_id',
  `select ${codeColumns.sql} from registration.redemption_code c
   where (c.business_unit_id = $1) is true and (c.event_id = $2) is true and c.id = any($3) order by c.insertion_order`,
);

/** Returns those of these codes that exist, in the order of creation. */
export const readCodes = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  ids: readonly string[],
): Promise<CodeRow[]> => db.query(codesById, [businessUnitId, eventId, ids]);

const insertAll = statement<CodeRow>(
  'redemption_codes_insert',
  `insert into registration.redemption_code as c (id, business_unit_id, event_id, ticket_type_id, code, code_key,
     label, max_uses, expires_at, discount_type, discount_value, batch_id)
   select x.id, $1, $2, $3, x.code, x.key, $4, $5, $6, $7, $8, $9
   from unnest($10::text[], $11::text[], $12::text[]) with ordinality x(id, code, key, n)
   order by x.n
   on conflict (event_id, code_key) do nothing
   returning ${codeColumns.sql}`,
);

export interface NewCodes {
  ticketTypeId: string;
  label: string | null;
  maxUses: number | null;
  expiresAt: Date | null;
  discountType: 'percent' | 'amount' | null;
  discountValue: number | null;
  /** Null for a single code. */
  batchId: string | null;
}

/** Inserts codes in one statement and returns those that are new in the event, in their order. */
export const insertCodes = (
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  common: NewCodes,
  codes: readonly { id: string; code: string; key: string }[],
): Promise<CodeRow[]> =>
  tx.query(insertAll, [
    businessUnitId,
    eventId,
    common.ticketTypeId,
    common.label,
    common.maxUses,
    common.expiresAt,
    common.discountType,
    common.discountValue,
    common.batchId,
    codes.map(({ id }) => id),
    codes.map(({ code }) => code),
    codes.map(({ key }) => key),
  ]);

const disable = statement<CodeRow>(
  'redemption_code_disable',
  `update registration.redemption_code c set status = 'disabled', version = ${nextVersionSql}
   where (c.business_unit_id = $1) is true and (c.event_id = $2) is true and c.id = $3 and c.status = 'active'
   returning ${codeColumns.sql}`,
);

/** Disables a code. Returns null if there is no such active code. */
export async function markDisabled(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  codeId: string,
): Promise<CodeRow | null> {
  const [row] = await tx.query(disable, [businessUnitId, eventId, codeId]);
  return row ?? null;
}

const update = statement<CodeRow>(
  'redemption_code_update',
  `update registration.redemption_code c set version = ${nextVersionSql},
     label = case when $4 then $5 else label end,
     max_uses = case when $6 then $7::int else max_uses end,
     expires_at = case when $8 then $9::timestamptz else expires_at end
   where (c.business_unit_id = $1) is true and (c.event_id = $2) is true and c.id = $3
     and ($4 and label is distinct from $5 or $6 and max_uses is distinct from $7::int
       or $8 and expires_at is distinct from $9::timestamptz)
   returning ${codeColumns.sql}`,
);

/** What can be changed of a code. Undefined stays. */
export type CodeChange = {
  [Field in 'label' | 'maxUses' | 'expiresAt']?: CodeRow[Field] | undefined;
};

/** Changes a code. Returns null if there is none, or it has these values. */
export async function writeCode(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  codeId: string,
  { label, maxUses, expiresAt }: CodeChange,
): Promise<CodeRow | null> {
  const [row] = await tx.query(update, [
    businessUnitId,
    eventId,
    codeId,
    label !== undefined,
    label ?? null,
    maxUses !== undefined,
    maxUses ?? null,
    expiresAt !== undefined,
    expiresAt ?? null,
  ]);
  return row ?? null;
}

const event = columnsOf(EventProjection, 'e', { only: ['currency'] });
const ticketType = jsonOf(TicketTypeProjection, 't', {
  omit: ['id', 'businessUnitId', 'eventId', 'version', 'perkIds', 'taxRate'],
});

/** A code with the ticket type that it unlocks, and the database's time. */
export interface LookupRow extends CodeRow, RowOf<typeof event> {
  now: Date;
  /** The active registration of the person who asks, if it uses the code. */
  ownRegistrationId: string | null;
  eventStatus: EventStatus;
  /** Null while the projection does not have the ticket type. */
  type: RowOf<typeof ticketType> | null;
}

// The same statement reads every code, usable or not. `decideLookup` decides on the row.
const codeByKey = statement<LookupRow>(
  'redemption_code_lookup',
  `select ${codeColumns.sql}, clock_timestamp() as now, ${event.sql}, e.status as "eventStatus",
     case when t.id is not null then ${ticketType.sql} end as type, r.id as "ownRegistrationId"
   from registration.redemption_code c
   join registration.event_projection e on e.id = c.event_id
   left join registration.ticket_type_projection t on t.id = c.ticket_type_id
   left join registration.registration r
     on r.event_id = c.event_id and r.active_email = $4 and r.redemption_code_id = c.id
   where (c.business_unit_id = $1) is true and c.event_id = $2 and c.code_key = $3`,
);

/** The code with this key as the person with this normalized email finds it, or null. */
export async function findCodeByKey(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  key: string,
  email: string | null,
): Promise<LookupRow | null> {
  const [row] = await db.query(codeByKey, [businessUnitId, eventId, key, email]);
  return row ?? null;
}

const databaseTime = statement<{ now: Date }>('database_time', 'select clock_timestamp() as now');

/** Returns the database's time, which decides when a code expires. */
export async function readNow(db: Db): Promise<Date> {
  const [row] = await db.query(databaseTime, []);
  if (!row) throw new Error('the database returned no time');
  return row.now;
}

/** The snapshots of a code for other services: the perks that it delivers. */
export const redemptionCodeSource = defineSnapshotSource({
  type: redemptionCodeSnapshot,
  entity: RedemptionCode,
  computed: {
    perkIds: `coalesce((select jsonb_agg(p.perk_id order by p.perk_id)
      from registration.redemption_code_perk p where p.redemption_code_id = t.id), '[]')`,
  },
});

const incrementVersion = statement(
  'redemption_code_version',
  `update registration.redemption_code set version = ${nextVersionSql}
   where (business_unit_id = $1) is true and (event_id = $2) is true and id = $3`,
);

/** Increments the version of a code whose perks change, and locks its row. */
const incrementCodeVersion = async (
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  codeId: string,
): Promise<void> => void (await tx.query(incrementVersion, [businessUnitId, eventId, codeId]));

const addCodePerk = statement<{ perkId: string }>(
  'perk_code_bind',
  `insert into registration.redemption_code_perk (redemption_code_id, perk_id, business_unit_id)
   select c.id, $4, c.business_unit_id from registration.redemption_code c
   where (c.business_unit_id = $1) is true and (c.event_id = $2) is true and c.id = $3
   on conflict do nothing returning perk_id as "perkId"`,
);

const removeCodePerk = statement<{ perkId: string }>(
  'perk_code_unbind',
  `delete from registration.redemption_code_perk p using registration.redemption_code c
   where (c.business_unit_id = $1) is true and (c.event_id = $2) is true and c.id = $3
     and p.redemption_code_id = c.id and p.perk_id = $4
   returning p.perk_id as "perkId"`,
);

/** Adds or removes a perk of a code. A repeated call changes nothing. Locks and emits: the code. */
export async function writeCodePerk(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  { codeId, perkId }: { codeId: string; perkId: string },
  isBound: boolean,
): Promise<void> {
  const scope = { businessUnitId, eventId };
  // Takes the lock first, so that concurrent changes of one code emit complete snapshots.
  await incrementCodeVersion(tx, scope, codeId);
  const change = isBound ? addCodePerk : removeCodePerk;
  const changed = await tx.query(change, [businessUnitId, eventId, codeId, perkId]);
  if (changed.length > 0) await redemptionCodeSource.emit(tx, [codeId]);
}

const codesOfPerk = statement<{ id: string }>(
  'perk_codes',
  `select c.id from registration.redemption_code c
   join registration.redemption_code_perk p on p.redemption_code_id = c.id
   where c.business_unit_id = $1 and c.event_id = $2 and p.perk_id = $3 order by c.insertion_order`,
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

const named = columnsOf(RedemptionCode, 'c', { only: ['id', 'code', 'label', 'status'] });

/** A code with the perks that it delivers. */
export interface CodeWithPerks extends RowOf<typeof named> {
  perkIds: string[];
}

const codesWithPerks = statement<CodeWithPerks>(
  'codes_with_perks',
  `select ${named.sql}, array_agg(p.perk_id order by p.perk_id) as "perkIds"
   from registration.redemption_code c
   join registration.redemption_code_perk p on p.redemption_code_id = c.id
   where c.business_unit_id = $1 and c.event_id = $2 and c.insertion_order > coalesce((
     select k.insertion_order from registration.redemption_code k
     where (k.business_unit_id = $1) is true and (k.event_id = $2) is true and k.id = $3), 0)
   group by c.id order by c.insertion_order limit $4`,
);

/** Up to `limit` + 1 codes that deliver perks, oldest first, after the one with the id `afterId`. */
export const findCodesWithPerks = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  afterId: string | null,
  limit: number,
): Promise<CodeWithPerks[]> =>
  db.query(codesWithPerks, [businessUnitId, eventId, afterId, limit + 1]);
