import type { UpdateAddon } from '@event-api/contracts/http/addons';
import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { z } from 'zod';
import {
  decideSaleUpdate,
  type SaleLimits,
  type SaleUpdateDecision,
  saleLimitIssues,
} from '../patches/patches.rules.ts';

export type AddonPatch = z.output<typeof UpdateAddon>;

/** The fields of an add-on that a patch can change. */
export type AddonState = Required<AddonPatch>;

export type AddonCreateDecision =
  | { outcome: 'create' }
  | { outcome: 'event_archived' }
  | { outcome: 'invalid'; issues: FieldIssue[] };

/** Decides whether an add-on may be created. The input is validated before the state of the event. */
export function decideAddonCreate(
  limits: SaleLimits,
  eventIsArchived: boolean,
): AddonCreateDecision {
  const issues = saleLimitIssues(limits);
  if (issues.length > 0) return { outcome: 'invalid', issues };
  return { outcome: eventIsArchived ? 'event_archived' : 'create' };
}

/** Decides what a patch changes. Fields are validated together as they would be after the update. */
export function decideAddonUpdate(
  addon: AddonState,
  patch: AddonPatch,
  eventIsArchived: boolean,
): SaleUpdateDecision<AddonState> | { outcome: 'invalid'; issues: FieldIssue[] } {
  const decision = decideSaleUpdate(addon, patch, eventIsArchived);
  if (decision.outcome !== 'changed') return decision;
  const issues = saleLimitIssues({ ...addon, ...decision.changes });
  return issues.length > 0 ? { outcome: 'invalid', issues } : decision;
}
