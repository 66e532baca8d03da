import type { SaleStatus } from '@event-api/contracts/http/ticket-types';

/** The lifecycle of ticket types and add-ons. Staying is not a move; archived is final. */
export const saleTransitions: Record<SaleStatus, readonly SaleStatus[]> = {
  draft: ['open', 'archived'],
  open: ['closed', 'archived'],
  closed: ['open', 'archived'],
  archived: [],
};

/** The fields of a patch that differ from what is there. Left-out fields stay; instants are compared by time. */
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
