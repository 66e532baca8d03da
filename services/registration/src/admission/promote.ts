import type { EventScope } from '@event-api/contracts/internal/scope';
import {
  type promoteWaitlistsOfGroups as ofGroups,
  type promoteWaitlist as ofType,
  SeatLedgerRecord,
} from '@event-api/contracts/internal/waitlist';
import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { z } from 'zod';
import { seatSource } from '../seats/seats.queries.ts';
import { expireAndPromoteIfDue } from './expire-and-promote.ts';
import type { Admission } from './queue.ts';

export interface PromoteDeps {
  db: Db;
  admission: Admission;
  refresher: ProjectionRefresher;
}

/**
 * Stores a ticket type that its owner has changed, promotes from the waitlists of its event and
 * returns the seats of the type, and of the types of the event that share a capacity: a type that
 * joins or leaves a group changes what the others have.
 *
 * The projection takes the record from the request, so promotion does not wait for a message. An
 * older version changes nothing. When `timeoutMs` ends first, the result contains the seats
 * committed so far; the expire-and-promote job promotes the rest. Emits: the seats.
 */
export async function promoteWaitlist(
  deps: PromoteDeps,
  { ticketType, timeoutMs }: z.output<typeof ofType.schema.body>,
): Promise<z.output<(typeof ofType.schema.response)[200]>> {
  const { businessUnitId, aggregateId } = ticketType;
  await storeAndPromote(deps, ticketType, timeoutMs);
  const seats = await seatSource.read(deps.db, businessUnitId, aggregateId);
  return {
    seatLedger: SeatLedgerRecord.nullable().parse(seats),
    seatLedgersOfGroups: await readSeatsOfGroups(deps.db, ticketType),
  };
}

/**
 * Stores an event whose owner has changed its capacity groups, and promotes and returns seats as
 * `promoteWaitlist` does. Emits: the seats.
 */
export async function promoteWaitlistsOfGroups(
  deps: PromoteDeps,
  { event, timeoutMs }: z.output<typeof ofGroups.schema.body>,
): Promise<z.input<(typeof ofGroups.schema.response)[200]>> {
  await storeAndPromote(deps, event, timeoutMs);
  return { seatLedgersOfGroups: await readSeatsOfGroups(deps.db, event) };
}

async function storeAndPromote(
  deps: PromoteDeps,
  record: Snapshot,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  const { businessUnitId, eventId } = record;
  await deps.refresher.store([record]);
  await expireAndPromoteIfDue(deps, { businessUnitId, eventId }, deadline - performance.now());
}

const typesInGroups = statement<{ id: string }>(
  'types_in_capacity_groups',
  `select t.id from registration.ticket_type_projection t
   where t.event_id = $1 and t.business_unit_id = $2 and t.capacity_group_id is not null`,
);

async function readSeatsOfGroups(db: Db, { eventId, businessUnitId }: EventScope) {
  const rows = await db.query(typesInGroups, [eventId, businessUnitId]);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  return SeatLedgerRecord.array().parse(await seatSource.readAll(db, ids));
}
