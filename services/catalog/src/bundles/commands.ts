import { notFound } from '@event-api/platform/core/errors';
import type { Database, Tx } from '@event-api/platform/db/database';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { LockMode } from '@mikro-orm/core';
import { archivedIsFinal } from '../errors.ts';
import { lockEvent } from '../events/queries.ts';
import { Bundle } from './bundle.entity.ts';
import { bundleSource, readBundle } from './queries.ts';
import { type BundlePatch, decideBundleUpdate } from './rules.ts';
import type { BundleRow } from './view.ts';

/**
 * Changes a bundle as `decideBundleUpdate` says; an update that changes nothing writes nothing.
 *
 * Errors: 404; 400 for any change in an archived event. Locks: the event's row, shared, then the bundle's.
 * Emits: the bundle.
 */
export async function updateBundle(
  db: Database,
  { businessUnitId }: Caller,
  eventId: string,
  bundleId: string,
  patch: BundlePatch,
): Promise<BundleRow> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, businessUnitId, eventId, 'read');
    const bundle = await lockBundle(tx, businessUnitId, eventId, bundleId);
    const state = {
      ...bundle,
      description: bundle.description ?? null,
      priceAmount: bundle.priceAmount ?? null,
    };
    const decision = decideBundleUpdate(state, patch, event.status === 'archived');
    if (decision.outcome === 'event_archived') {
      throw archivedIsFinal();
    }
    if (decision.outcome === 'changed') {
      tx.em.assign(bundle, decision.changes);
      await tx.em.flush();
      await bundleSource.emit(tx, [bundleId]);
    }
    return readBundle(tx, businessUnitId, eventId, bundleId);
  });
}

/** The bundle, locked for a change until `tx` ends. Errors: 404. */
export async function lockBundle(
  tx: Tx,
  businessUnitId: string,
  eventId: string,
  bundleId: string,
): Promise<Bundle> {
  const bundle = await tx.em.findOne(
    Bundle,
    { id: bundleId, businessUnitId, eventId },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!bundle) throw notFound();
  return bundle;
}
