import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { CapacityGroup, EventStatus } from '@event-api/contracts/http/events';

/** A group as an update names it. */
export interface WantedGroup {
  id?: string | undefined;
  name: string;
  capacity: number;
}

export type GroupsDecision =
  | { outcome: 'unchanged' }
  | { outcome: 'replaced'; groups: CapacityGroup[] }
  | { outcome: 'invalid'; issues: FieldIssue[] }
  | { outcome: 'in_use'; group: CapacityGroup };

/**
 * Decides the capacity groups of an event after an update. An entry without an id is the group that
 * has its name, so that a repeated update creates no second one. `usedIds` are the groups of ticket
 * types that are not archived; `newIds` has an id for each entry.
 */
export function decideGroups(
  current: readonly CapacityGroup[],
  wanted: readonly WantedGroup[],
  { usedIds, newIds }: { usedIds: ReadonlySet<string>; newIds: readonly string[] },
): GroupsDecision {
  const issues = [...unknownIssues(current, wanted), ...duplicateIssues(wanted)];
  if (issues.length > 0) return { outcome: 'invalid', issues };
  const claimed = new Set(wanted.flatMap(({ id }) => id ?? []));
  const groups = wanted.map(({ id, name, capacity }, index) => {
    const existing = current.find((group) => group.name === name && !claimed.has(group.id));
    return { id: id ?? existing?.id ?? newIds[index] ?? '', name, capacity };
  });
  const removed = current.filter(({ id }) => !groups.some((group) => group.id === id));
  const group = removed.find(({ id }) => usedIds.has(id));
  if (group) return { outcome: 'in_use', group };
  return isSame(current, groups) ? { outcome: 'unchanged' } : { outcome: 'replaced', groups };
}

/**
 * Returns whether an update of an event may add seats to a capacity group, so that registration has
 * to promote from its waitlists. A retry of an update counts, because the earlier response may have
 * been lost.
 */
export const mayPromoteInGroups = (
  before: readonly CapacityGroup[],
  wanted: readonly WantedGroup[] | undefined,
  after: { status: EventStatus; capacityGroups: readonly CapacityGroup[] },
): boolean =>
  wanted !== undefined &&
  after.status !== 'archived' &&
  after.capacityGroups.some(({ id, capacity }) =>
    before.some((group) => group.id === id && group.capacity <= capacity),
  );

const unknownIssues = (
  current: readonly CapacityGroup[],
  wanted: readonly WantedGroup[],
): FieldIssue[] =>
  wanted.flatMap(({ id }, index) =>
    id === undefined || current.some((group) => group.id === id)
      ? []
      : [
          {
            field: `capacityGroups[${index}].id`,
            issue: 'is not a capacity group of this event',
            code: 'not_found',
          },
        ],
  );

const duplicateIssues = (wanted: readonly WantedGroup[]): FieldIssue[] =>
  (['id', 'name'] as const).flatMap((key) =>
    wanted.flatMap((group, index) => {
      const first = wanted.findIndex((other) => other[key] === group[key]);
      if (group[key] === undefined || first === index) return [];
      const field = `capacityGroups[${index}].${key}`;
      return [{ field, issue: 'must not appear twice', code: 'invalid_value' }];
    }),
  );

const isSame = (a: readonly CapacityGroup[], b: readonly CapacityGroup[]): boolean =>
  a.length === b.length &&
  a.every(({ id, name, capacity }, index) => {
    const other = b[index];
    return other?.id === id && other.name === name && other.capacity === capacity;
  });
