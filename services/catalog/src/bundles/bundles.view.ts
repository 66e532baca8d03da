import { Bundle as BundleContract } from '@event-api/contracts/http/bundles';
import { viewOf } from '@event-api/platform/http/record-view';
import type { z } from 'zod';
import { type BundleRow, storedColumns } from './bundles.queries.ts';
import { remainingBundles } from './bundles.rules.ts';

const storedView = viewOf(BundleContract.omit({ remaining: true }), storedColumns);

/** The response body of a bundle. */
export const bundleView = (row: BundleRow): z.input<typeof BundleContract> => ({
  ...storedView(row),
  remaining: remainingBundles(row.parts, row.eventStatus),
});
