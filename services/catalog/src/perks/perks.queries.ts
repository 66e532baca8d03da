import type { EventScope } from '@event-api/contracts/internal/scope';
import { perkSnapshot } from '@event-api/contracts/messages/catalog';
import type { PerkTargetType } from '@event-api/contracts/operator/perks';
import { notFound } from '@event-api/platform/core/errors';
import { type Columns, columnsOf, jsonOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { recordReader } from '@event-api/platform/db/record';
import { nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import { addonSource } from '../addons/addons.queries.ts';
import { ticketTypeSource } from '../ticket-types/ticket-types.queries.ts';
import { Perk, PerkBinding } from './perk.entity.ts';

const columns = columnsOf(Perk, 'p');
const binding = jsonOf(PerkBinding, 'b', { only: ['targetType', 'targetId'] });

/** The columns of a perk and its bindings. */
export const perkColumns: Columns<RowOf<typeof columns> & { bindings: RowOf<typeof binding>[] }> = {
  sql: `${columns.sql}, coalesce((
    select json_agg(${binding.sql} order by b.target_type, b.target_id)
    from catalog.perk_binding b where b.perk_id = p.id), '[]') as bindings`,
};
export type PerkRow = RowOf<typeof perkColumns>;

/** Returns a perk with its bindings. Errors: 404. */
export const { read: readPerk } = recordReader<PerkRow>({
  name: 'perk_by_id',
  select: `select ${perkColumns.sql} from catalog.perk p`,
  alias: 'p',
  kind: 'perk',
});

const perksOfEvent = statement<PerkRow>(
  'perks_of_event',
  `select ${perkColumns.sql} from catalog.perk p
   where p.business_unit_id = $1 and p.event_id = $2 order by p.created_at, p.id`,
);

/** Returns all perks of an event, oldest first. */
export const listPerks = (db: Db, { businessUnitId, eventId }: EventScope): Promise<PerkRow[]> =>
  db.query(perksOfEvent, [businessUnitId, eventId]);

/** A ticket type or an add-on of an event. */
interface PerkTarget extends EventScope {
  targetType: PerkTargetType;
  targetId: string;
}

const targetById: Record<PerkTargetType, ReturnType<typeof statement<{ id: string }>>> = {
  registration_type: statement(
    'perk_target_ticket_type',
    'select id from catalog.ticket_type where business_unit_id = $1 and event_id = $2 and id = $3',
  ),
  addon: statement(
    'perk_target_addon',
    'select id from catalog.addon where business_unit_id = $1 and event_id = $2 and id = $3',
  ),
};

const targetKinds = { registration_type: 'ticketType', addon: 'addon' } as const;

/** Checks that the event has this ticket type or add-on. Errors: 404. */
export async function requireTarget(db: Db, target: PerkTarget): Promise<void> {
  const { businessUnitId, eventId, targetType, targetId } = target;
  const [row] = await db.query(targetById[targetType], [businessUnitId, eventId, targetId]);
  if (!row) throw notFound(targetKinds[targetType]);
}

/** The snapshots of perks that other services project. Bindings are in the snapshots of their targets. */
export const perkSource = defineSnapshotSource({
  type: perkSnapshot,
  entity: Perk,
  computed: {},
});

const bump: Record<PerkTargetType, ReturnType<typeof statement>> = {
  registration_type: statement(
    'perk_touch_ticket_type',
    `update catalog.ticket_type set version = ${nextVersionSql}
     where business_unit_id = $1 and event_id = $2 and id = $3`,
  ),
  addon: statement(
    'perk_touch_addon',
    `update catalog.addon set version = ${nextVersionSql}
     where business_unit_id = $1 and event_id = $2 and id = $3`,
  ),
};

const targetSources = { registration_type: ticketTypeSource, addon: addonSource };

/**
 * Increments the version of a ticket type or an add-on whose perks have changed, and emits it. One record is published,
 * however many registrations have it.
 */
export async function bumpTargetVersion(tx: Tx, target: PerkTarget): Promise<void> {
  const { businessUnitId, eventId, targetType, targetId } = target;
  await tx.query(bump[targetType], [businessUnitId, eventId, targetId]);
  await targetSources[targetType].emit(tx, [targetId]);
}
