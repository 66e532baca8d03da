import type { CreateAddon, UpdateAddon } from '@event-api/contracts/http/addons';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { lockRecord } from '@event-api/platform/db/record';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import type { z } from 'zod';
import { saleChanged, saleCreated } from '../changes/object-changes.ts';
import { eventArchived, updateRejected } from '../errors.ts';
import { lockEvent } from '../events/events.queries.ts';
import { decideSaleUpdate } from '../patches/patches.rules.ts';
import { Addon } from './addon.entity.ts';
import { addonSource } from './addons.queries.ts';

/**
 * Creates a draft add-on. Errors: 404; 412 `EVENT_ARCHIVED`. Locks: the event's row, shared. Emits: the add-on. Reports:
 * `addon.created`.
 */
export async function createAddon(
  db: Database,
  scope: EventScope,
  input: z.output<typeof CreateAddon>,
): Promise<Addon> {
  const id = newId('addon');
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'read');
    const existing = isRetry() && (await tx.em.findOne(Addon, { id, ...scope }));
    if (existing) return existing;
    if (event.status === 'archived') throw eventArchived();
    const addon = tx.em.create(Addon, {
      ...input,
      id,
      ...scope,
    });
    await tx.em.flush();
    await addonSource.emit(tx, [addon.id]);
    writeChanges(tx, [saleCreated('addon', addon)]);
    return addon;
  });
}

/**
 * Applies a patch to an add-on as `decideSaleUpdate` decides. A patch that changes nothing writes nothing.
 *
 * Errors: 404; 400 for a forbidden status transition, and for any change of an archived add-on or in an archived event.
 * Locks: the event's row, shared, then the add-on's. Emits: the add-on. Reports: `addon.updated`,
 * `addon.opened`, `addon.closed` or `addon.archived`.
 */
export async function updateAddon(
  db: Database,
  scope: EventScope,
  addonId: string,
  patch: z.output<typeof UpdateAddon>,
): Promise<Addon> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'read');
    const addon = await lockRecord(tx, Addon, scope, addonId);
    const before = { ...addon };
    const decision = decideSaleUpdate(before, patch, event.status === 'archived');
    switch (decision.outcome) {
      case 'unchanged':
        return addon;
      case 'changed':
        tx.em.assign(addon, decision.changes);
        await tx.em.flush();
        await addonSource.emit(tx, [addon.id]);
        writeChanges(tx, [saleChanged('addon', addon, before.status)]);
        return addon;
      default:
        throw updateRejected('add-on', decision);
    }
  });
}
