import type {
  bindPerk as bindPerkOperation,
  createPerk as createPerkOperation,
} from '@event-api/contracts/operator/perks';
import { recordAudit } from '@event-api/platform/audit/write';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { z } from 'zod';
import { eventArchived } from '../errors.ts';
import { lockEvent } from '../events/events.queries.ts';
import { Perk, PerkBinding } from './perk.entity.ts';
import {
  bumpTargetVersion,
  type PerkRow,
  perkSource,
  readPerk,
  requireTarget,
} from './perks.queries.ts';

/** Creates a perk. Errors: 404; 412 `EVENT_ARCHIVED`. Locks: the event's row, shared. Emits: the perk. */
export async function createPerk(
  db: Database,
  input: z.output<typeof createPerkOperation.schema.body>,
): Promise<PerkRow> {
  const id = newId('perk');
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, input, 'read');
    if (isRetry() && (await tx.em.count(Perk, { id, eventId: input.eventId })) > 0) {
      return readPerk(tx, input, id);
    }
    if (event.status === 'archived') throw eventArchived();
    const perk = tx.em.create(Perk, { ...input, id });
    await tx.em.flush();
    await perkSource.emit(tx, [perk.id]);
    recordAudit(tx, { records: [perk.id] });
    return readPerk(tx, input, perk.id);
  });
}

type Binding = z.output<typeof bindPerkOperation.schema.body>;

/**
 * Binds a perk to a ticket type or an add-on. An existing binding stays. Errors: 404 for an unknown event, perk or
 * target. Locks: the event's row, shared. Emits: the target, whose snapshot contains its perks.
 */
export async function bindPerk(db: Database, binding: Binding): Promise<PerkRow> {
  const { perkId } = binding;
  return db.transaction(async (tx) => {
    await lockEvent(tx, binding, 'read');
    await readPerk(tx, binding, perkId);
    await requireTarget(tx, binding);
    await tx.em.upsert(PerkBinding, binding, { onConflictAction: 'ignore' });
    await bumpTargetVersion(tx, binding);
    recordAudit(tx);
    return readPerk(tx, binding, perkId);
  });
}

/** Removes a binding; a missing one changes nothing. Errors: 404 for an unknown event or perk. Emits: the target. */
export async function unbindPerk(db: Database, binding: Binding): Promise<PerkRow> {
  const { perkId } = binding;
  return db.transaction(async (tx) => {
    await lockEvent(tx, binding, 'read');
    await readPerk(tx, binding, perkId);
    if ((await tx.em.nativeDelete(PerkBinding, binding)) > 0) {
      await bumpTargetVersion(tx, binding);
      recordAudit(tx);
    }
    return readPerk(tx, binding, perkId);
  });
}
