import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';

/** Allowed status transitions of ticket types, add-ons and bundles. Keeping a status is not a transition. */
export const saleTransitions: Record<SaleStatus, readonly SaleStatus[]> = {
  draft: ['open', 'archived'],
  open: ['closed', 'archived'],
  closed: ['open', 'archived'],
  archived: [],
};

/** Reports times of admission that end at or before their start, if both are set. */
export function admissionIssues({
  admissionOpensAt,
  admissionClosesAt,
}: {
  admissionOpensAt: Date | null;
  admissionClosesAt: Date | null;
}): FieldIssue[] {
  if (!admissionOpensAt || !admissionClosesAt || admissionClosesAt > admissionOpensAt) return [];
  const issue = 'must be after admissionOpensAt';
  return [{ field: 'admissionClosesAt', issue, code: 'invalid_value' }];
}

/** When something is sold, and how many units of it an order may have. */
export interface SaleLimits {
  opensAt: Date | null;
  closesAt: Date | null;
  minPerOrder: number | null;
  maxPerOrder: number | null;
}

/** Reports an end of the sale that is not after its start, and a maximum below the minimum. */
export const saleLimitIssues = (limits: SaleLimits): FieldIssue[] => [
  ...saleWindowIssues(limits),
  ...perOrderIssues(limits),
];

/** Reports `closesAt` at or before `opensAt` if both are set. */
export function saleWindowIssues({
  opensAt,
  closesAt,
}: Pick<SaleLimits, 'opensAt' | 'closesAt'>): FieldIssue[] {
  if (!opensAt || !closesAt || closesAt > opensAt) return [];
  return [{ field: 'closesAt', issue: 'must be after opensAt', code: 'invalid_value' }];
}

/** Reports `maxPerOrder` below `minPerOrder` if both are set. */
export function perOrderIssues({
  minPerOrder,
  maxPerOrder,
}: Pick<SaleLimits, 'minPerOrder' | 'maxPerOrder'>): FieldIssue[] {
  if (minPerOrder === null || maxPerOrder === null || maxPerOrder >= minPerOrder) return [];
  const issue = 'must be at least minPerOrder';
  return [{ field: 'maxPerOrder', issue, code: 'invalid_value' }];
}

/**
 * Returns the fields of a patch that differ from the current state. Fields left out stay; instants
 * are compared by time.
 */
export function changedFields<State extends object>(
  current: State,
  patch: { [K in keyof State]?: State[K] | undefined },
): Partial<State> {
  const changed = Object.entries(patch).filter(
    ([key, value]) =>
      key in current && value !== undefined && !isSame(value, current[key as keyof State]),
  );
  return Object.fromEntries(changed) as Partial<State>;
}

const isSame = (a: unknown, b: unknown): boolean =>
  a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;

/** What becomes of a patch of something that is sold. */
export type SaleUpdateDecision<State> =
  | { outcome: 'unchanged' }
  | { outcome: 'changed'; changes: Partial<State> }
  | { outcome: 'event_archived' }
  | { outcome: 'invalid_transition'; from: SaleStatus; to: SaleStatus }
  | { outcome: 'archived'; fields: string[] };

/** Decides what a patch of a ticket type, an add-on or a bundle changes. */
export function decideSaleUpdate<State extends { status: SaleStatus }>(
  current: State,
  patch: { [K in keyof State]?: State[K] | undefined },
  eventIsArchived: boolean,
): SaleUpdateDecision<State> {
  const changes = changedFields(current, patch);
  if (Object.keys(changes).length === 0) return { outcome: 'unchanged' };
  if (eventIsArchived) return { outcome: 'event_archived' };
  const { status } = changes;
  if (status && !saleTransitions[current.status].includes(status)) {
    return { outcome: 'invalid_transition', from: current.status, to: status };
  }
  if (current.status === 'archived') return { outcome: 'archived', fields: Object.keys(changes) };
  return { outcome: 'changed', changes };
}
