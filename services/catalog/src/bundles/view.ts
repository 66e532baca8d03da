import type { Bundle as BundleContract } from '@event-api/contracts/http/bundles';
import type { z } from 'zod';
import type { BundleContents } from './rules.ts';

/** The columns of a bundle that are shown, with its items in their order. */
export interface BundleRow {
  id: string;
  eventId: string;
  name: string;
  description: string | null;
  priceAmount: number | null;
  sortOrder: number;
  items: BundleContents;
  createdAt: Date;
}

/** A bundle as the API shows it. */
export function bundleView(row: BundleRow): z.input<typeof BundleContract> {
  return {
    id: row.id,
    eventId: row.eventId,
    name: row.name,
    description: row.description,
    priceAmount: row.priceAmount,
    sortOrder: row.sortOrder,
    items: row.items.map(({ itemType, itemId, quantity }) => ({ itemType, itemId, quantity })),
    createdAt: row.createdAt.toISOString(),
  };
}
