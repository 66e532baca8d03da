import type { CreateAddon } from '@event-api/contracts/http/addons';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { z } from 'zod';
import { eventArchived } from '../errors.ts';
import { lockEvent } from '../events/queries.ts';
import { Addon } from './addon.entity.ts';
import { addonSource } from './queries.ts';

/**
 * Makes a draft add-on. Errors: 404; 412 `EVENT_ARCHIVED`.
 * Locks: the event's row, shared with others that make something in it.
 */
export async function createAddon(
  db: Database,
  { businessUnitId }: Caller,
  eventId: string,
  input: z.output<typeof CreateAddon>,
): Promise<Addon> {
  const id = newId('addon');
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, businessUnitId, eventId, 'read');
    const existing = isRetry() && (await tx.em.findOne(Addon, { id, eventId: event.id }));
    if (existing) return existing;
    if (event.status === 'archived') throw eventArchived();
    const addon = tx.em.create(Addon, {
      ...input,
      id,
      businessUnitId,
      eventId: event.id,
    });
    await tx.em.flush();
    await addonSource.emit(tx, [addon.id]);
    return addon;
  });
}
