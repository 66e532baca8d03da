import { Bundle as BundleContract } from '@event-api/contracts/http/bundles';
import { viewOf } from '@event-api/platform/http/record-view';
import type { z } from 'zod';
import { type BundleRow, bundleColumns } from './bundles.queries.ts';
import { effectivePrice, remainingBundles } from './bundles.rules.ts';

const storedView = viewOf(
  BundleContract.omit({ effectivePriceAmount: true, remaining: true }),
  bundleColumns,
);

/** The response body of a bundle. */
export const bundleView = (row: BundleRow): z.input<typeof BundleContract> => ({
  ...storedView(row),
  effectivePriceAmount: effectivePrice(row.priceAmount, row.parts),
  remaining: remainingBundles(row.parts),
});
