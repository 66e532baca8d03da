import type { UpdateAddon } from '@event-api/contracts/http/addons';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import type { z } from 'zod';
import { changedFields, saleTransitions } from '../patches/patches.rules.ts';

/** The fields of an add-on that a patch can change. */
export type AddonState = Required<AddonPatch>;

export type AddonPatch = z.output<typeof UpdateAddon>;

export type AddonUpdateDecision =
  | { outcome: 'unchanged' }
  | { outcome: 'changed'; changes: Partial<AddonState> }
  | { outcome: 'event_archived' }
  | { outcome: 'invalid_transition'; from: SaleStatus; to: SaleStatus }
  | { outcome: 'archived'; fields: string[] };

/** Decides what a patch changes. */
export function decideAddonUpdate(
  addon: AddonState,
  patch: AddonPatch,
  eventIsArchived: boolean,
): AddonUpdateDecision {
  const changes = changedFields(addon, patch);
  if (Object.keys(changes).length === 0) return { outcome: 'unchanged' };
  if (eventIsArchived) return { outcome: 'event_archived' };
  if (changes.status && !saleTransitions[addon.status].includes(changes.status)) {
    return { outcome: 'invalid_transition', from: addon.status, to: changes.status };
  }
  if (addon.status === 'archived') return { outcome: 'archived', fields: Object.keys(changes) };
  return { outcome: 'changed', changes };
}
