import type { CapacityGroup, CreateEvent } from '@event-api/contracts/http/events';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { setEventFeatures } from '@event-api/contracts/operator/events';
import type { Clock } from '@event-api/platform/core/clock';
import { invalidArgument, invalidTransition } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { violatedUniqueConstraint } from '@event-api/platform/db/errors';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import type { z } from 'zod';
import { eventChanged, eventCreated } from '../changes/object-changes.ts';
import {
  agendaResetUnconfirmed,
  archivedIsFinal,
  capacityGroupInUse,
  currencyLocked,
} from '../errors.ts';
import { admissionIssues } from '../patches/patches.rules.ts';
import { type PromoteDeps, promoteWaitlistsOfGroups } from '../seat-counts/promote.ts';
import { timeouts } from '../timeouts.ts';
import { mayPromoteInGroups } from './capacity-groups.rules.ts';
import { Event } from './event.entity.ts';
import {
  eventSource,
  findUsedGroups,
  lockEvent,
  readCurrency,
  writeCurrencyLock,
} from './events.queries.ts';
import {
  dateOrderIssues,
  decideEventUpdate,
  type EventPatch,
  type EventState,
  type EventUpdateDecision,
} from './events.rules.ts';
import { generatePublicId } from './public-id.ts';

/**
 * Creates a draft event in the caller's business unit, by default in the currency of the unit.
 * Errors: 400 when it ends before it starts, also of its admission. Emits: the event. Reports: `event.created`.
 */
export async function createEvent(
  db: Database,
  caller: Caller,
  input: z.output<typeof CreateEvent>,
): Promise<Event> {
  const { name, timezone, startsAt = null, endsAt = null, currency } = input;
  const { attendanceMode = 'in_person', country = null } = input;
  const { admissionOpensAt = null, admissionClosesAt = null } = input;
  const issues = [
    ...dateOrderIssues({ startsAt, endsAt }),
    ...admissionIssues({ admissionOpensAt, admissionClosesAt }),
  ];
  if (issues.length > 0) throw invalidArgument(issues);
  const id = newId('evt');
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(async (tx) => {
        const { em } = tx;
        const { businessUnitId } = caller;
        const existing = isRetry() && (await em.findOne(Event, { id, businessUnitId }));
        if (existing) return existing;
        const event = em.create(Event, {
          id,
          businessUnitId,
          publicId: generatePublicId(name),
          name,
          timezone,
          startsAt,
          endsAt,
          admissionOpensAt,
          admissionClosesAt,
          currency: currency ?? caller.defaultCurrency,
          attendanceMode,
          country,
        });
        await em.flush();
        await eventSource.emit(tx, [event.id]);
        writeChanges(tx, [eventCreated(event)]);
        return event;
      });
    } catch (error) {
      // Random suffixes can collide. A new attempt generates another one.
      const taken = violatedUniqueConstraint(error) === 'event_public_id_unique';
      if (!taken || attempt === timeouts.publicIdAttempts) throw error;
    }
  }
}

/**
 * Applies a patch to an event as `decideEventUpdate` decides. A patch that changes nothing writes
 * nothing. If the update may have added seats to a capacity group, its waitlists are promoted after
 * the commit and before this returns, for a bounded time.
 *
 * Errors: 404; 400 for a forbidden status transition and for invalid dates; 412 `CURRENCY_LOCKED`,
 * `AGENDA_RESET_UNCONFIRMED`, `CAPACITY_GROUP_IN_USE`. Locks: the event's row. Emits: the event, with a higher
 * `agendaVersion` if its start has moved to another date. Reports: `event.updated`,
 * `event.published` or `event.archived`, and `event.agenda_reset`.
 */
export async function updateEvent(
  deps: PromoteDeps & { db: Database; clock: Clock },
  scope: EventScope,
  patch: EventPatch,
): Promise<Event> {
  const { groupsBefore, event } = await writeUpdate(deps, scope, patch);
  if (mayPromoteInGroups(groupsBefore, patch.capacityGroups, event)) {
    const read = () => eventSource.read(deps.db, scope.businessUnitId, event.id);
    await promoteWaitlistsOfGroups(deps, { id: event.id, read });
  }
  return event;
}

async function writeUpdate(
  { db, clock }: { db: Database; clock: Clock },
  scope: EventScope,
  patch: EventPatch,
): Promise<{ groupsBefore: readonly CapacityGroup[]; event: Event }> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'write');
    const groupsBefore = event.capacityGroups;
    const groups = patch.capacityGroups;
    const decision = decideEventUpdate(stateOf(event), patch, {
      usedIds: groups ? await findUsedGroups(tx, scope) : new Set(),
      newIds: groups?.map(() => newId('cgp')) ?? [],
    });
    if (decision.outcome === 'unchanged') return { groupsBefore, event };
    if (decision.outcome !== 'changed') throw rejection(decision);
    const { status } = event;
    tx.em.assign(event, decision.changes);
    if (decision.publishes) event.publishedAt = clock.now();
    if (decision.resetsAgenda) event.agendaVersion += 1;
    await tx.em.flush();
    await eventSource.emit(tx, [event.id]);
    writeChanges(tx, eventChanged(event, status, decision));
    return { groupsBefore, event };
  });
}

const stateOf = (event: Event): EventState => ({
  ...event,
  startsAt: event.startsAt ?? null,
  endsAt: event.endsAt ?? null,
  admissionOpensAt: event.admissionOpensAt ?? null,
  admissionClosesAt: event.admissionClosesAt ?? null,
  country: event.country ?? null,
});

type Rejection = Exclude<EventUpdateDecision, { outcome: 'unchanged' | 'changed' }>;

function rejection(decision: Rejection): Error {
  switch (decision.outcome) {
    case 'archived_is_final':
      return archivedIsFinal();
    case 'invalid_transition':
      return invalidTransition(decision.from, decision.to);
    case 'invalid':
      return invalidArgument(decision.issues);
    case 'currency_locked':
      return currencyLocked();
    case 'group_in_use':
      return capacityGroupInUse(decision.group);
    case 'agenda_reset_unconfirmed':
      return agendaResetUnconfirmed();
  }
}

/**
 * Locks the currency of an event permanently and returns it. Commerce calls this for every order,
 * so an event with a locked currency costs one read.
 *
 * Errors: 404. Locks: the event's row, if the currency was not locked. Emits: the event, once.
 */
export async function lockCurrency(db: Database, scope: EventScope): Promise<string> {
  const { currency, isLocked } = await readCurrency(db, scope);
  if (isLocked) return currency;
  return db.transaction(async (tx) => {
    const locked = await writeCurrencyLock(tx, scope);
    // A concurrent order has locked it and committed.
    if (locked === null) return (await readCurrency(tx, scope)).currency;
    await eventSource.emit(tx, [scope.eventId]);
    return locked;
  });
}

/**
 * Replaces an event's features, without duplicates and in the order of the input. Errors: 404.
 * Locks: the event's row.
 * Reports: `event.updated`, if they change.
 */
export async function setFeatures(
  db: Database,
  { features, ...scope }: z.output<typeof setEventFeatures.schema.body>,
): Promise<Event> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'write');
    const next = [...new Set(features)];
    if (isSameList(next, event.features)) return event;
    event.features = next;
    await tx.em.flush();
    writeChanges(tx, eventChanged(event, event.status));
    return event;
  });
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
