import type { CreateBundle } from '@event-api/contracts/http/bundles';
import { invalidArgument } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { z } from 'zod';
import { eventArchived } from '../errors.ts';
import { lockEvent } from '../events/queries.ts';
import { Bundle } from './bundle.entity.ts';
import { writeContents } from './contents.ts';
import { bundleSource, findExistingItems, readBundle } from './queries.ts';
import { decideContents } from './rules.ts';
import type { BundleRow } from './view.ts';

/**
 * Makes a bundle with its contents. Errors: 404; 400 for an item that is not of this event; 412
 * `EVENT_ARCHIVED`. Locks: the event's row, shared with others that make something in it.
 * Emits: the bundle.
 */
export async function createBundle(
  db: Database,
  { businessUnitId }: Caller,
  eventId: string,
  { items, ...fields }: z.output<typeof CreateBundle>,
): Promise<BundleRow> {
  const id = newId('bdl');
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, businessUnitId, eventId, 'read');
    if (isRetry() && (await tx.em.count(Bundle, { id, eventId: event.id })) > 0) {
      return readBundle(tx, businessUnitId, eventId, id);
    }
    const existing = await findExistingItems(tx, businessUnitId, eventId, items);
    const decision = decideContents({
      current: [],
      next: items,
      existing,
      eventIsArchived: false,
      field: 'items',
    });
    if (decision.outcome === 'invalid') throw invalidArgument(decision.issues);
    if (event.status === 'archived') throw eventArchived();
    const bundle = tx.em.create(Bundle, { ...fields, id, businessUnitId, eventId });
    await tx.em.flush();
    await writeContents(tx, bundle, items);
    await bundleSource.emit(tx, [bundle.id]);
    return readBundle(tx, businessUnitId, eventId, bundle.id);
  });
}
