import type { CreateTicketType } from '@event-api/contracts/http/ticket-types';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { invalidArgument } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database, Tx } from '@event-api/platform/db/database';
import { lockRecord } from '@event-api/platform/db/record';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import type { z } from 'zod';
import { saleChanged, saleCreated } from '../changes/object-changes.ts';
import { eventArchived, updateRejected } from '../errors.ts';
import type { Event } from '../events/event.entity.ts';
import { lockEvent } from '../events/events.queries.ts';
import { type PromoteDeps, promoteWaitlist } from '../seat-counts/promote.ts';
import { requireTaxRate } from '../tax-rates/tax-rates.commands.ts';
import { TicketType } from './ticket-type.entity.ts';
import { readTicketType, type TicketTypeRow, ticketTypeSource } from './ticket-types.queries.ts';
import {
  decideTicketTypeCreate,
  decideTicketTypeUpdate,
  type EventOfType,
  mayPromote,
  type TicketTypePatch,
  type TicketTypeState,
} from './ticket-types.rules.ts';

/**
 * Creates a draft ticket type. The lock on the event rules out a concurrent archive.
 *
 * Errors: 404; 400 when it closes before it opens or its limits contradict each other; 412
 * `EVENT_ARCHIVED`. Locks: the event's row, shared. Emits: the ticket type. Reports:
 * `ticket_type.created`.
 */
export async function createTicketType(
  { db }: { db: Database },
  scope: EventScope,
  input: z.output<typeof CreateTicketType>,
): Promise<TicketTypeRow> {
  const { opensAt = null, closesAt = null, ...fields } = input;
  const { admissionOpensAt = null, admissionClosesAt = null } = input;
  const times = { opensAt, closesAt, admissionOpensAt, admissionClosesAt };
  const id = newId('tt');
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'read');
    if (isRetry() && (await tx.em.count(TicketType, { id, ...scope })) > 0) {
      return readTicketType(tx, scope, id);
    }
    const decision = decideTicketTypeCreate({ ...fields, ...times }, ofType(event));
    if (decision.outcome === 'invalid') throw invalidArgument(decision.issues);
    if (decision.outcome === 'event_archived') throw eventArchived();
    await requireTaxRate(tx, scope.businessUnitId, fields.taxRateId);
    reachStep('ticket-type.create.decided');
    const ticketType = tx.em.create(TicketType, {
      ...fields,
      ...times,
      id,
      ...scope,
    });
    await tx.em.flush();
    await ticketTypeSource.emit(tx, [ticketType.id]);
    writeChanges(tx, [saleCreated('ticket_type', ticketType)]);
    return readTicketType(tx, scope, id);
  });
}

const ofType = ({ status, capacityGroups }: Event): EventOfType => ({
  isArchived: status === 'archived',
  groupIds: capacityGroups.map(({ id }) => id),
});

/**
 * Applies a patch to a ticket type as `decideTicketTypeUpdate` decides. A patch that changes nothing writes nothing. If
 * the update may have added seats, the waitlist is promoted after the commit and before this returns, for a bounded
 * time.
 *
 * Errors: 404; 400 for a forbidden status transition, for limits that contradict each other, and for any change
 * of an archived ticket type or in an archived event. Locks: the event's row, shared, then the ticket type's. Emits:
 * the ticket type. Reports: `ticket_type.updated`, `ticket_type.opened`, `ticket_type.closed` or `ticket_type.archived`.
 */
export async function updateTicketType(
  deps: PromoteDeps & { db: Database },
  scope: EventScope,
  typeId: string,
  patch: TicketTypePatch,
  { countsAreStale }: { countsAreStale: boolean },
): Promise<TicketTypeRow> {
  const { before, after } = await deps.db.transaction((tx) => update(tx, scope, typeId, patch));
  if (!mayPromote(before, patch, after, countsAreStale)) return after;
  const read = () => ticketTypeSource.read(deps.db, scope.businessUnitId, typeId);
  const isStored = await promoteWaitlist(deps, { id: typeId, read });
  return isStored ? readTicketType(deps.db, scope, typeId) : after;
}

async function update(
  tx: Tx,
  scope: EventScope,
  typeId: string,
  patch: TicketTypePatch,
): Promise<{ before: TicketTypeState; after: TicketTypeRow }> {
  const event = await lockEvent(tx, scope, 'read');
  const ticketType = await lockRecord(tx, TicketType, scope, typeId);
  const before = { ...ticketType };
  const decision = decideTicketTypeUpdate(before, patch, ofType(event));
  switch (decision.outcome) {
    case 'unchanged':
      break;
    case 'invalid':
      throw invalidArgument(decision.issues);
    case 'changed':
      await requireTaxRate(tx, scope.businessUnitId, decision.changes.taxRateId);
      tx.em.assign(ticketType, decision.changes);
      await tx.em.flush();
      await ticketTypeSource.emit(tx, [typeId]);
      writeChanges(tx, [saleChanged('ticket_type', ticketType, before.status)]);
      break;
    default:
      throw updateRejected('ticket type', decision);
  }
  return { before, after: await readTicketType(tx, scope, typeId) };
}
