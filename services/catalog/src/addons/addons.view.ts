import { Addon as AddonContract } from '@event-api/contracts/http/addons';
import { viewOf } from '@event-api/platform/http/record-view';
import { addonColumns } from './addons.queries.ts';

/** The response body of an add-on. */
export const addonView = viewOf(AddonContract, addonColumns);
