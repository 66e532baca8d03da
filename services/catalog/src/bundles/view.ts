import type { Bundle as BundleContract } from '@event-api/contracts/http/bundles';
import type { z } from 'zod';
import type { BundleContents } from './rules.ts';

/** A bundle as the API returns it, with its items in order. */
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

/** The response body of a bundle. */
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
