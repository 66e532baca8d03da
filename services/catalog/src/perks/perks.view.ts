import { Perk as PerkContract } from '@event-api/contracts/operator/perks';
import { viewOf } from '@event-api/platform/http/record-view';
import { perkColumns } from './perks.queries.ts';

/** The response body of a perk. */
export const perkView = viewOf(PerkContract, perkColumns);
