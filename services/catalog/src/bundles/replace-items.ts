import { invalidArgument } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { archivedIsFinal } from '../errors.ts';
import { lockEvent } from '../events/queries.ts';
import { lockBundle } from './commands.ts';
import { writeContents } from './contents.ts';
import { bumpBundleVersion, findExistingItems, readBundle } from './queries.ts';
import { type BundleContents, decideContents } from './rules.ts';
import type { BundleRow } from './view.ts';

/**
 * Replaces the whole contents of a bundle, or nothing of them.
 *
 * Errors: 404; 400 for an item that is not of this event and for any change in an archived event.
 * Locks: the event's row, shared, then the bundle's. Emits: the bundle.
 */
export async function replaceBundleItems(
  db: Database,
  { businessUnitId }: Caller,
  eventId: string,
  bundleId: string,
  items: BundleContents,
): Promise<BundleRow> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, businessUnitId, eventId, 'read');
    const bundle = await lockBundle(tx, businessUnitId, eventId, bundleId);
    const { items: current } = await readBundle(tx, businessUnitId, eventId, bundleId);
    const decision = decideContents({
      current,
      next: items,
      existing: await findExistingItems(tx, businessUnitId, eventId, items),
      eventIsArchived: event.status === 'archived',
      field: '',
    });
    switch (decision.outcome) {
      case 'unchanged':
        break;
      case 'invalid':
        throw invalidArgument(decision.issues);
      case 'event_archived':
        throw archivedIsFinal();
      case 'replaced':
        await writeContents(tx, bundle, items);
        await bumpBundleVersion(tx, bundle);
    }
    return readBundle(tx, businessUnitId, eventId, bundleId);
  });
}
