import { invalidTransition, notFound } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { LockMode } from '@mikro-orm/core';
import { archivedIsFinal, recordArchived } from '../errors.ts';
import { lockEvent } from '../events/queries.ts';
import { Addon } from './addon.entity.ts';
import { addonSource } from './queries.ts';
import { type AddonPatch, decideAddonUpdate } from './rules.ts';

/**
 * Changes an add-on as `decideAddonUpdate` says; an update that changes nothing writes nothing.
 *
 * Errors: 404; 400 for a move that does not exist and for any change of an archived add-on or in an
 * archived event.
 * Locks: the event's row, shared, then the add-on's.
 */
export async function updateAddon(
  db: Database,
  { businessUnitId }: Caller,
  eventId: string,
  addonId: string,
  patch: AddonPatch,
): Promise<Addon> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, businessUnitId, eventId, 'read');
    const addon = await tx.em.findOne(
      Addon,
      { id: addonId, businessUnitId, eventId },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!addon) throw notFound();
    const state = { ...addon, description: addon.description ?? null };
    const decision = decideAddonUpdate(state, patch, event.status === 'archived');
    switch (decision.outcome) {
      case 'unchanged':
        return addon;
      case 'event_archived':
        throw archivedIsFinal();
      case 'no_such_move':
        throw invalidTransition(decision.from, decision.to);
      case 'archived':
        throw recordArchived('add-on', decision.fields);
      case 'changed':
        tx.em.assign(addon, decision.changes);
        await tx.em.flush();
        await addonSource.emit(tx, [addon.id]);
        return addon;
    }
  });
}
