import type { CreateBundle, UpdateBundle } from '@event-api/contracts/http/bundles';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { invalidArgument } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database, Tx } from '@event-api/platform/db/database';
import { lockRecord } from '@event-api/platform/db/record';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import type { z } from 'zod';
import { saleChanged, saleCreated } from '../changes/object-changes.ts';
import { eventArchived, updateRejected } from '../errors.ts';
import { lockEvent } from '../events/events.queries.ts';
import { decideSaleUpdate } from '../patches/patches.rules.ts';
import { requireTaxRate } from '../tax-rates/tax-rates.commands.ts';
import { Bundle, BundleItem } from './bundle.entity.ts';
import {
  type BundleRow,
  bumpBundleVersion,
  bundleSource,
  findExistingItems,
  readBundle,
} from './bundles.queries.ts';
import { type BundleContents, decideContents } from './bundles.rules.ts';

/**
 * Creates a draft bundle with its items. Errors: 404; 400 for an item that the event does not have; 412 `EVENT_ARCHIVED`.
 * Locks: the event's row, shared. Emits: the bundle. Reports: `bundle.created`.
 */
export async function createBundle(
  db: Database,
  scope: EventScope,
  { items, ...fields }: z.output<typeof CreateBundle>,
): Promise<BundleRow> {
  const id = newId('bdl');
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'read');
    if (isRetry() && (await tx.em.count(Bundle, { id, ...scope })) > 0) {
      return readBundle(tx, scope, id);
    }
    const existing = await findExistingItems(tx, scope, items);
    const decision = decideContents({
      current: [],
      next: items,
      existing,
      eventIsArchived: false,
      isArchived: false,
      field: 'items',
    });
    if (decision.outcome === 'invalid') throw invalidArgument(decision.issues);
    if (event.status === 'archived') throw eventArchived();
    await requireTaxRate(tx, scope.businessUnitId, fields.taxRateId);
    const bundle = tx.em.create(Bundle, { ...fields, status: 'draft', id, ...scope });
    await tx.em.flush();
    await writeContents(tx, bundle, items);
    await bundleSource.emit(tx, [bundle.id]);
    writeChanges(tx, [saleCreated('bundle', bundle)]);
    return readBundle(tx, scope, bundle.id);
  });
}

/**
 * Applies a patch to a bundle as `decideSaleUpdate` decides. A patch that changes nothing writes nothing.
 *
 * Errors: 404; 400 for a forbidden status transition, and for any change of an archived bundle or in an archived event.
 * Locks: the event's row, shared, then the bundle's. Emits: the bundle. Reports: `bundle.updated`, `bundle.opened`,
 * `bundle.closed` or `bundle.archived`.
 */
export async function updateBundle(
  db: Database,
  scope: EventScope,
  bundleId: string,
  patch: z.output<typeof UpdateBundle>,
): Promise<BundleRow> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'read');
    const bundle = await lockRecord(tx, Bundle, scope, bundleId);
    const before = { ...bundle };
    const decision = decideSaleUpdate(before, patch, event.status === 'archived');
    switch (decision.outcome) {
      case 'unchanged':
        break;
      case 'changed':
        await requireTaxRate(tx, scope.businessUnitId, decision.changes.taxRateId);
        tx.em.assign(bundle, decision.changes);
        await tx.em.flush();
        await bundleSource.emit(tx, [bundleId]);
        writeChanges(tx, [saleChanged('bundle', bundle, before.status)]);
        break;
      default:
        throw updateRejected('bundle', decision);
    }
    return readBundle(tx, scope, bundleId);
  });
}

/**
 * Replaces all items of a bundle.
 *
 * Errors: 404; 400 for an item that the event does not have, and for any change of an archived bundle or in an archived
 * event. Locks: the event's row, shared, then the bundle's. Emits: the bundle.
 * Reports: `bundle.updated`.
 */
export async function replaceBundleItems(
  db: Database,
  scope: EventScope,
  bundleId: string,
  items: BundleContents,
): Promise<BundleRow> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'read');
    const bundle = await lockRecord(tx, Bundle, scope, bundleId);
    const { items: current } = await readBundle(tx, scope, bundleId);
    const decision = decideContents({
      current,
      next: items,
      existing: await findExistingItems(tx, scope, items),
      eventIsArchived: event.status === 'archived',
      isArchived: bundle.status === 'archived',
      field: '',
    });
    switch (decision.outcome) {
      case 'unchanged':
        break;
      case 'invalid':
        throw invalidArgument(decision.issues);
      case 'replaced': {
        await writeContents(tx, bundle, items);
        const version = await bumpBundleVersion(tx, bundle);
        writeChanges(tx, [saleChanged('bundle', { ...bundle, version }, bundle.status)]);
        break;
      }
      default:
        throw updateRejected('bundle', decision);
    }
    return readBundle(tx, scope, bundleId);
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
