import { Bundle as BundleContract } from '@event-api/contracts/http/bundles';
import { viewOf } from '@event-api/platform/http/record-view';
import { bundleColumns } from './bundles.queries.ts';

/** The response body of a bundle. */
export const bundleView = viewOf(BundleContract, bundleColumns);
