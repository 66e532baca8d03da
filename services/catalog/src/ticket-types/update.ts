import type { Caller } from '@event-api/platform/callers';
import type { Database } from '@event-api/platform/db/database';
import { invalidArgument, invalidTransition, notFound } from '@event-api/platform/errors';
import { LockMode } from '@mikro-orm/core';
import { archivedIsFinal } from '../errors.ts';
import { lockEvent } from '../events/queries.ts';
import { publishedTicketTypes, readTicketType } from './queries.ts';
import { decideTicketTypeUpdate, type TicketTypePatch, type TicketTypeState } from './rules.ts';
import { TicketType } from './ticket-type.entity.ts';
import type { TicketTypeRow } from './view.ts';

/**
 * Changes a ticket type as `decideTicketTypeUpdate` says; an update that changes nothing writes nothing.
 *
 * Errors: 404; 400 for a move that does not exist, for a sale window that closes before it opens,
 * and for any change in an archived event. Locks: the event's row, shared, then the
 * ticket type's. Emits: the ticket type.
 */
export async function updateTicketType(
  db: Database,
  caller: Caller,
  eventId: string,
  typeId: string,
  patch: TicketTypePatch,
): Promise<TicketTypeRow> {
  const { businessUnitId } = caller;
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, businessUnitId, eventId, 'read');
    const ticketType = await tx.em.findOne(
      TicketType,
      { id: typeId, businessUnitId, eventId },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!ticketType) throw notFound();
    const decision = decideTicketTypeUpdate(
      stateOf(ticketType),
      patch,
      event.status === 'archived',
    );
    switch (decision.outcome) {
      case 'unchanged':
        return readTicketType(tx, businessUnitId, eventId, typeId);
      case 'event_archived':
        throw archivedIsFinal();
      case 'no_such_move':
        throw invalidTransition(decision.from, decision.to);
      case 'invalid':
        throw invalidArgument(decision.issues);
      case 'changed':
        tx.em.assign(ticketType, decision.changes);
        await tx.em.flush();
        await publishedTicketTypes.emit(tx, [typeId]);
        return readTicketType(tx, businessUnitId, eventId, typeId);
    }
  });
}

const stateOf = (row: TicketType): TicketTypeState => ({
  ...row,
  description: row.description ?? null,
  capacity: row.capacity ?? null,
  opensAt: row.opensAt ?? null,
  closesAt: row.closesAt ?? null,
});
