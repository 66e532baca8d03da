import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { notFound } from '@event-api/platform/core/errors';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import { LockMode } from '@mikro-orm/core';
import { Event } from './event.entity.ts';

export const eventColumns = columnsOf(Event, 'e');
export type EventRow = RowOf<typeof eventColumns>;

const eventById = statement<EventRow>(
  'event_by_id',
  `select ${eventColumns.sql} from catalog.event e where e.business_unit_id = $1 and e.id = $2`,
);

/** Returns an event. Errors: 404, identical for an event of another business unit and an unknown id. */
export async function readEvent(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<EventRow> {
  const [row] = await db.query(eventById, [businessUnitId, eventId]);
  if (!row) throw notFound('event');
  return row;
}

const lockModes = {
  read: LockMode.PESSIMISTIC_READ,
  write: LockMode.PESSIMISTIC_WRITE,
};

/**
 * Locks and returns an event until `tx` ends: `write` to change it, `read` to keep it unchanged while a record is
 * created in it. Errors: 404.
 */
export async function lockEvent(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  mode: keyof typeof lockModes,
): Promise<Event> {
  const lockMode = lockModes[mode];
  const event = await tx.em.findOne(Event, { id: eventId, businessUnitId }, { lockMode });
  if (!event) throw notFound('event');
  return event;
}

/** The snapshots of events that other services project. */
export const eventSource = defineSnapshotSource({
  type: eventSnapshot,
  entity: Event,
  eventId: 'id',
  computed: {
    form: '(select f.questions from catalog.registration_form f where f.event_id = t.id)',
    refundPolicy: `(select jsonb_build_object('text', r.text, 'refundableUntil', to_char(r.refundable_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'bands', r.bands, 'automatic', r.automatic)
      from catalog.refund_policy r where r.event_id = t.id)`,
  },
});

const bump = statement(
  'event_bump',
  `update catalog.event set version = ${nextVersionSql} where business_unit_id = $1 and id = $2`,
);

/**
 * Increments the version of an event after a change of a record that its snapshot contains, and emits it. Its row must
 * be locked by `tx`.
 */
export async function bumpEventVersion(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
): Promise<void> {
  await tx.query(bump, [businessUnitId, eventId]);
  await eventSource.emit(tx, [eventId]);
}

const currencyOf = statement<{ currency: string; isLocked: boolean }>(
  'event_currency',
  `select currency, currency_locked as "isLocked" from catalog.event where business_unit_id = $1 and id = $2`,
);

/** Returns the currency of an event and whether it is locked. Errors: 404. */
export async function readCurrency(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<{ currency: string; isLocked: boolean }> {
  const [row] = await db.query(currencyOf, [businessUnitId, eventId]);
  if (!row) throw notFound('event');
  return row;
}

// Waits for a concurrent change of the event and locks the currency that this change has written.
const currencyLock = statement<{ currency: string }>(
  'event_lock_currency',
  `update catalog.event set currency_locked = true, version = ${nextVersionSql}
   where business_unit_id = $1 and id = $2 and not currency_locked returning currency`,
);

/** Locks the currency of an event and returns it. Returns null if it is already locked or the event does not exist. */
export async function writeCurrencyLock(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
): Promise<string | null> {
  const [row] = await tx.query(currencyLock, [businessUnitId, eventId]);
  return row?.currency ?? null;
}
