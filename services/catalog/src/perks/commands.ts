import type { bindPerk as bindPerkOperation } from '@event-api/contracts/operator/perks';
import type { Database } from '@event-api/platform/db/database';
import type { z } from 'zod';
import { lockEvent } from '../events/queries.ts';
import { PerkBinding } from './perk.entity.ts';
import { bumpTargetVersion, readPerk, requireTarget } from './queries.ts';
import type { PerkRow } from './view.ts';

type Binding = z.output<typeof bindPerkOperation.schema.body>;

/**
 * Lets a ticket type or an add-on deliver a perk; a binding that exists stays.
 * Errors: 404 for an unknown event, perk or target. Locks: the event's row, shared.
 * Emits: the ticket type or add-on, which tells what it delivers.
 */
export async function bindPerk(db: Database, binding: Binding): Promise<PerkRow> {
  const { businessUnitId, eventId, perkId } = binding;
  return db.transaction(async (tx) => {
    await lockEvent(tx, businessUnitId, eventId, 'read');
    await readPerk(tx, businessUnitId, eventId, perkId);
    await requireTarget(tx, businessUnitId, eventId, binding);
    await tx.em.upsert(PerkBinding, binding, { onConflictAction: 'ignore' });
    await bumpTargetVersion(tx, binding);
    return readPerk(tx, businessUnitId, eventId, perkId);
  });
}

/** Undoes a binding; one that does not exist stays undone. Errors: 404 for an unknown event or perk. */
export async function unbindPerk(db: Database, binding: Binding): Promise<PerkRow> {
  const { businessUnitId, eventId, perkId, targetType, targetId } = binding;
  return db.transaction(async (tx) => {
    await lockEvent(tx, businessUnitId, eventId, 'read');
    await readPerk(tx, businessUnitId, eventId, perkId);
    await tx.em.nativeDelete(PerkBinding, {
      businessUnitId,
      eventId,
      perkId,
      targetType,
      targetId,
    });
    await bumpTargetVersion(tx, binding);
    return readPerk(tx, businessUnitId, eventId, perkId);
  });
}
