import type { CreateAddon } from '@event-api/contracts/http/addons';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { invalidArgument } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { lockRecord } from '@event-api/platform/db/record';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import type { z } from 'zod';
import { saleChanged, saleCreated } from '../changes/object-changes.ts';
import { eventArchived, updateRejected } from '../errors.ts';
import { lockEvent } from '../events/events.queries.ts';
import { requireTaxRate } from '../tax-rates/tax-rates.commands.ts';
import { Addon } from './addon.entity.ts';
import { type AddonRow, addonSource, readAddon } from './addons.queries.ts';
import { type AddonPatch, decideAddonCreate, decideAddonUpdate } from './addons.rules.ts';

/**
 * Creates a draft add-on. Errors: 404; 400 for limits that contradict each other; 412
 * `EVENT_ARCHIVED`. Locks: the event's row, shared. Emits: the add-on. Reports: `addon.created`.
 */
export async function createAddon(
  db: Database,
  scope: EventScope,
  input: z.output<typeof CreateAddon>,
): Promise<AddonRow> {
  const { opensAt = null, closesAt = null, ...fields } = input;
  const id = newId('addon');
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'read');
    if (isRetry() && (await tx.em.count(Addon, { id, ...scope })) > 0)
      return readAddon(tx, scope, id);
    const decision = decideAddonCreate(
      { ...fields, opensAt, closesAt },
      event.status === 'archived',
    );
    if (decision.outcome === 'invalid') throw invalidArgument(decision.issues);
    if (decision.outcome === 'event_archived') throw eventArchived();
    await requireTaxRate(tx, scope.businessUnitId, fields.taxRateId);
    const addon = tx.em.create(Addon, {
      ...fields,
      opensAt,
      closesAt,
      id,
      ...scope,
    });
    await tx.em.flush();
    await addonSource.emit(tx, [addon.id]);
    writeChanges(tx, [saleCreated('addon', addon)]);
    return readAddon(tx, scope, id);
  });
}

/**
 * Applies a patch to an add-on as `decideAddonUpdate` decides. A patch that changes nothing writes
 * nothing.
 *
 * Errors: 404; 400 for a forbidden status transition, for limits that contradict each other, and for
 * any change of an archived add-on or in an archived event. Locks: the event's row, shared, then the
 * add-on's. Emits: the add-on. Reports: `addon.updated`, `addon.opened`, `addon.closed` or
 * `addon.archived`.
 */
export async function updateAddon(
  db: Database,
  scope: EventScope,
  addonId: string,
  patch: AddonPatch,
): Promise<AddonRow> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'read');
    const addon = await lockRecord(tx, Addon, scope, addonId);
    const before = { ...addon };
    const decision = decideAddonUpdate(before, patch, event.status === 'archived');
    switch (decision.outcome) {
      case 'unchanged':
        break;
      case 'invalid':
        throw invalidArgument(decision.issues);
      case 'changed':
        await requireTaxRate(tx, scope.businessUnitId, decision.changes.taxRateId);
        tx.em.assign(addon, decision.changes);
        await tx.em.flush();
        await addonSource.emit(tx, [addon.id]);
        writeChanges(tx, [saleChanged('addon', addon, before.status)]);
        break;
      default:
        throw updateRejected('add-on', decision);
    }
    return readAddon(tx, scope, addonId);
  });
}
