import type { createPerk as createPerkOperation } from '@event-api/contracts/operator/perks';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { z } from 'zod';
import { eventArchived } from '../errors.ts';
import { lockEvent } from '../events/queries.ts';
import { Perk } from './perk.entity.ts';
import { perkSource, readPerk } from './queries.ts';
import type { PerkRow } from './view.ts';

/** Makes a perk. Errors: 404; 412 `EVENT_ARCHIVED`. Locks: the event's row, shared. */
export async function createPerk(
  db: Database,
  input: z.output<typeof createPerkOperation.schema.body>,
): Promise<PerkRow> {
  const { businessUnitId, eventId } = input;
  const id = newId('perk');
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, businessUnitId, eventId, 'read');
    if (isRetry() && (await tx.em.count(Perk, { id, eventId })) > 0) {
      return readPerk(tx, businessUnitId, eventId, id);
    }
    if (event.status === 'archived') throw eventArchived();
    const perk = tx.em.create(Perk, { ...input, id });
    await tx.em.flush();
    await perkSource.emit(tx, [perk.id]);
    return readPerk(tx, businessUnitId, eventId, perk.id);
  });
}
