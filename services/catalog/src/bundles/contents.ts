import type { Tx } from '@event-api/platform/db/database';
import { BundleItem } from './bundle.entity.ts';
import type { BundleContents } from './rules.ts';

/** Gives a bundle exactly these items, in this order. Locks: nothing; the bundle's row must be locked or new. */
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
