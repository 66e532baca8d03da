import type { Operation } from '../operation.ts';
import { setEventFeatures } from './events.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import { bindPerk, createPerk, listPerks, unbindPerk } from './perks.ts';
import { createUnit, listUnits } from './units.ts';

/** Every operator command, in the order that `admin help` lists them. Its name is its `operationId`. */
export const operatorOperations: readonly Operation[] = [
  createUnit,
  listUnits,
  createKey,
  listKeys,
  revokeKey,
  setEventFeatures,
  createPerk,
  listPerks,
  bindPerk,
  unbindPerk,
];
