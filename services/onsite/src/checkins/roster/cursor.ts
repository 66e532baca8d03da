import type { EventScope } from '@event-api/contracts/internal/scope';
import { decodeCursor, encodeCursor } from '@event-api/platform/http/cursor-page';
import { listName } from '@event-api/platform/http/list-page';

/** How much of the check-ins a device has read. */
export interface CheckinPosition {
  /** Of other doors, nothing is read. */
  doors: string;
  /** The check-ins up to this key are read, in the order of their versions. */
  version: number;
  id: string;
  /** Where the next pass begins. */
  nextFrom: number;
}

/** How much of a roster a device has read. */
export interface RosterPosition {
  /** Another epoch has other sequences. */
  epoch: string;
  /** The badges up to this key are read, in the order of their last change. */
  seq: number;
  id: string;
  /** Where the next pass begins, if this one has passed its checkpoint; otherwise 0. */
  nextFrom: number;
  /** Digests of the sources and the doors that were sent last. */
  sources: string;
  doors: string;
  checkins: CheckinPosition;
}

/** The filter of a roster. A cursor is only valid for the same one. */
export interface RosterFilter {
  include?: 'names' | undefined;
}

const nameOf = ({ eventId }: EventScope, { include }: RosterFilter): string =>
  listName('roster', { eventId, include });

export const encodePosition = (
  scope: EventScope,
  filter: RosterFilter,
  { epoch, seq, id, nextFrom, sources, doors, checkins }: RosterPosition,
): string =>
  encodeCursor(nameOf(scope, filter), [
    ...[epoch, seq, id, nextFrom, sources, doors],
    ...[checkins.doors, checkins.version, checkins.id, checkins.nextFrom],
  ]);

const partTypes = [
  ...(['string', 'version', 'string', 'version', 'string', 'string'] as const),
  ...(['string', 'version', 'string', 'version'] as const),
] as const;

/** Errors: 400 for a cursor of another event or filter, and for one that no roster has sent. */
export function decodePosition(
  scope: EventScope,
  filter: RosterFilter,
  cursor: string | undefined,
): RosterPosition | null {
  const key = decodeCursor(nameOf(scope, filter), cursor, partTypes);
  if (!key) return null;
  const [epoch, seq, id, nextFrom, sources, doors, ofDoors, version, checkinId, from] = key;
  const checkins = { doors: ofDoors, version, id: checkinId, nextFrom: from };
  return { epoch, seq, id, nextFrom, sources, doors, checkins };
}

/** The position of a cursor with any filter, or null if no roster of this event has sent it. */
export function findPosition(scope: EventScope, cursor: string): RosterPosition | null {
  for (const filter of [{}, { include: 'names' as const }]) {
    try {
      return decodePosition(scope, filter, cursor);
    } catch {
      // Of the other filter, or no cursor of a roster at all.
    }
  }
  return null;
}
