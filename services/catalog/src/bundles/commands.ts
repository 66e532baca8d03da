import type { CreateBundle } from '@event-api/contracts/http/bundles';
import { invalidArgument, notFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database, Tx } from '@event-api/platform/db/database';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { archivedIsFinal, eventArchived } from '../errors.ts';
import { lockEvent } from '../events/queries.ts';
import { Bundle, BundleItem } from './bundle.entity.ts';
import { bumpBundleVersion, bundleSource, findExistingItems, readBundle } from './queries.ts';
import {
  type BundleContents,
  type BundlePatch,
  decideBundleUpdate,
  decideContents,
} from './rules.ts';
import type { BundleRow } from './view.ts';

/**
 * Creates a bundle with its items. Errors: 404; 400 for an item that the event does not have; 412 `EVENT_ARCHIVED`.
 * Locks: the event's row, shared. Emits: the bundle.
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

/**
 * Applies a patch to a bundle as `decideBundleUpdate` decides. A patch that changes nothing writes nothing.
 *
 * Errors: 404; 400 for any change in an archived event. Locks: the event's row, shared, then the bundle's. Emits: the
 * bundle.
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

/** Locks and returns a bundle until `tx` ends. Errors: 404. */
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

/**
 * Replaces all items of a bundle.
 *
 * Errors: 404; 400 for an item that the event does not have, and for any change in an archived event. Locks: the
 * event's row, shared, then the bundle's. Emits: the bundle.
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

/** Replaces the stored items of a bundle. The bundle's row must be new or locked by this transaction. */
export async function writeContents(
  { em }: Tx,
  bundle: { id: string; businessUnitId: string },
  items: BundleContents,
): Promise<void> {
  await em.nativeDelete(BundleItem, {
    bundleId: bundle.id,
    businessUnitId: bundle.businessUnitId,
  });
  const rows = items.map((item, position) => ({
    ...item,
    position,
    bundleId: bundle.id,
    businessUnitId: bundle.businessUnitId,
  }));
  if (rows.length > 0) await em.insertMany(BundleItem, rows);
}
