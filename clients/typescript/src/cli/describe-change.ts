import type { Change } from '../generated/types.gen.ts';

/**
 * One line: the sequence, the time, the type, the record, its statuses before and after, and who
 * caused the change.
 */
export function describeChange(change: Change): string {
  const { sequence, occurredAt, type, object, previous, current, actor } = change;
  const statuses = [previous?.status, current?.status].filter((status) => status != null);
  const moved = statuses[0] === statuses[1] ? statuses.slice(0, 1) : statuses;
  const by = actor.id === null ? actor.type : `${actor.type} ${actor.id}`;
  return [String(sequence).padStart(6), occurredAt, type, object.id, moved.join(' → '), `by ${by}`]
    .filter((part) => part !== '')
    .join('  ');
}
