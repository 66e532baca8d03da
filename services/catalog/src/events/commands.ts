import type { Clock } from '@event-api/platform/core/clock';
import { invalidArgument, invalidTransition } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { agendaResetUnconfirmed, archivedIsFinal, currencyLocked } from '../errors.ts';
import type { Event } from './event.entity.ts';
import { eventSource, lockEvent } from './queries.ts';
import {
  decideEventUpdate,
  type EventPatch,
  type EventState,
  type EventUpdateDecision,
} from './rules.ts';

/**
 * Changes an event as `decideEventUpdate` says; an update that changes nothing writes nothing.
 *
 * Errors: 404; 400 for a move that does not exist and for fields that do not fit each other; 412
 * `CURRENCY_LOCKED`, `AGENDA_RESET_UNCONFIRMED`. Locks: the event's row. Emits: the event,
 * with a higher `agendaEpoch` if this has moved its start to another date.
 */
export async function updateEvent(
  { db, clock }: { db: Database; clock: Clock },
  caller: Caller,
  eventId: string,
  patch: EventPatch,
): Promise<Event> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, caller.businessUnitId, eventId, 'write');
    const decision = decideEventUpdate(stateOf(event), patch);
    if (decision.outcome === 'unchanged') return event;
    if (decision.outcome !== 'changed') throw refusal(decision);
    tx.em.assign(event, decision.changes);
    if (decision.publishes) event.publishedAt = clock.now();
    if (decision.resetsAgenda) event.agendaEpoch += 1;
    await tx.em.flush();
    await eventSource.emit(tx, [event.id]);
    return event;
  });
}

const stateOf = (event: Event): EventState => ({
  ...event,
  startsAt: event.startsAt ?? null,
  endsAt: event.endsAt ?? null,
});

type Refusal = Exclude<EventUpdateDecision, { outcome: 'unchanged' | 'changed' }>;

function refusal(decision: Refusal): Error {
  switch (decision.outcome) {
    case 'archived_is_final':
      return archivedIsFinal();
    case 'no_such_move':
      return invalidTransition(decision.from, decision.to);
    case 'invalid':
      return invalidArgument(decision.issues);
    case 'currency_locked':
      return currencyLocked();
    case 'agenda_reset_unconfirmed':
      return agendaResetUnconfirmed();
  }
}
