import type { CreateTicketType } from '@event-api/contracts/http/ticket-types';
import { invalidArgument } from '@event-api/platform/core/errors';
import type { Faults } from '@event-api/platform/core/faults';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { z } from 'zod';
import { eventArchived } from '../errors.ts';
import { lockEvent } from '../events/queries.ts';
import { ticketTypeSource } from './queries.ts';
import { saleWindowIssues } from './rules.ts';
import { TicketType } from './ticket-type.entity.ts';

/**
 * Makes a draft ticket type; never in an event that is archived, not even at the same moment.
 *
 * Errors: 404; 400 when it closes before it opens; 412 `EVENT_ARCHIVED`.
 * Locks: the event's row, shared with others that make something in it.
 */
export async function createTicketType(
  { db, faults }: { db: Database; faults: Faults },
  caller: Caller,
  eventId: string,
  input: z.output<typeof CreateTicketType>,
): Promise<TicketType> {
  const { opensAt = null, closesAt = null, ...fields } = input;
  const issues = saleWindowIssues({ opensAt, closesAt });
  if (issues.length > 0) throw invalidArgument(issues);
  const id = newId('tt');
  return db.transaction(async (tx) => {
    const lock = faults.isDisabled('ticket-type.create.event-lock') ? 'none' : 'read';
    const event = await lockEvent(tx, caller.businessUnitId, eventId, lock);
    const existing = isRetry() && (await tx.em.findOne(TicketType, { id, eventId: event.id }));
    if (existing) return existing;
    if (event.status === 'archived') throw eventArchived();
    await faults.hit('ticket-type.create.judged');
    const ticketType = tx.em.create(TicketType, {
      ...fields,
      opensAt,
      closesAt,
      id,
      businessUnitId: caller.businessUnitId,
      eventId: event.id,
    });
    await tx.em.flush();
    await ticketTypeSource.emit(tx, [ticketType.id]);
    return ticketType;
  });
}
