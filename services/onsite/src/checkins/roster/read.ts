import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { rosterExpired } from '../../errors.ts';
import { readEventAtDoor } from '../event-at-door.queries.ts';
import { readCheckins } from './checkins.ts';
import {
  decodePosition,
  encodePosition,
  type RosterFilter,
  type RosterPosition,
} from './cursor.ts';
import { type RosterRow, readBadgesAfter, readDoors, readSources } from './roster.queries.ts';
import { digestOf, fitting, type Roster, rosterBadgeView, rosterDoorView } from './roster.view.ts';

export interface RosterRequest extends RosterFilter {
  cursor?: string | undefined;
  limit: number;
  /** The only doors of the caller; null for all. */
  doors: readonly string[] | null;
}

/**
 * Reads a page of the roster. A device that follows the cursors has every badge as the last page
 * found it: a change that commits later has a higher sequence than the checkpoint of that page.
 * Badges that changed during the last messages can come twice, and so can check-ins of the last
 * seconds. Errors: 400 for a cursor of another
 * roster; 412 `CURSOR_EXPIRED`. Source: docs/algorithms/roster.md.
 */
export async function readRoster(
  db: Db,
  scope: EventScope,
  { cursor, limit, include, doors: callerDoors }: RosterRequest,
): Promise<Roster> {
  const position = decodePosition(scope, { include }, cursor);
  const from = position ?? { seq: 0, id: '' };
  const { epoch, checkpoint, rows } = await readBadgesAfter(db, scope, from, limit + 1);
  // A sequence after the checkpoint belongs to messages that the database has lost.
  if (position && (position.epoch !== epoch || position.seq > checkpoint + 1)) {
    throw rosterExpired();
  }
  const sources = await readSources(db, scope);
  const doors = (await readDoors(db, scope))
    .filter(({ subjectId }) => callerDoors === null || callerDoors.includes(subjectId))
    .map(rosterDoorView);
  const [ofSources, ofDoors] = [digestOf(sources), digestOf(doors)];
  const badges = fitting(
    rows.slice(0, limit).map((row) => rosterBadgeView(row, include === 'names')),
  );
  const hasMoreBadges = badges.length < rows.length;
  const last = rows[badges.length - 1];
  const read =
    hasMoreBadges && last ? after(position, last, checkpoint) : endAt(position, checkpoint);
  const ofCheckins = { position: position?.checkins ?? null, doors: callerDoors, limit };
  const { checkins, ...page } = await readCheckins(db, scope, ofCheckins);
  const next = { ...read, epoch, sources: ofSources, doors: ofDoors, checkins: page.next };
  return {
    event: await readEventAtDoor(db, scope),
    badges,
    checkins,
    sources: position?.sources === ofSources ? null : sources,
    doors: position?.doors === ofDoors ? null : doors,
    nextCursor: encodePosition(scope, { include }, next),
    hasMore: hasMoreBadges || page.hasMore,
  };
}

type Place = Pick<RosterPosition, 'seq' | 'id' | 'nextFrom'>;

/**
 * Behind a badge. Another badge can still get the same sequence if it is after the checkpoint: the
 * next pass then begins at the checkpoint again.
 */
const after = (
  position: RosterPosition | null,
  { changedSeq, id }: RosterRow,
  checkpoint: number,
): Place => {
  const nextFrom = position?.nextFrom || (changedSeq > checkpoint ? checkpoint + 1 : 0);
  return { seq: changedSeq, id, nextFrom };
};

/** Where the next pass begins. */
const endAt = (position: RosterPosition | null, checkpoint: number): Place => ({
  seq: position?.nextFrom || checkpoint + 1,
  id: '',
  nextFrom: 0,
});
