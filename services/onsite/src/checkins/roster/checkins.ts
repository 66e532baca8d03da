import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { timeouts } from '../../timeouts.ts';
import { type RosterCheckinRow, readCheckinsAfter } from './checkins.queries.ts';
import type { CheckinPosition } from './cursor.ts';
import { digestOf, fitting, type Roster, rosterCheckinView } from './roster.view.ts';

/** A page of the check-ins of a roster. */
export interface CheckinPage {
  checkins: Roster['checkins'];
  next: CheckinPosition;
  hasMore: boolean;
}

/**
 * Reads what has changed about the check-ins at the doors of a caller. A change can commit after a
 * later one, so each pass begins some seconds before the former one: a check-in can come again, and
 * is then as it is now.
 */
export async function readCheckins(
  db: Db,
  scope: EventScope,
  {
    position,
    doors,
    limit,
  }: {
    position: CheckinPosition | null;
    doors: readonly string[] | null;
    limit: number;
  },
): Promise<CheckinPage> {
  const ofDoors = digestOf(doors?.toSorted() ?? null);
  const from = position?.doors === ofDoors ? position : { version: 0, id: '', nextFrom: 0 };
  const { clock, rows } = await readCheckinsAfter(db, scope, { ...from, doors }, limit + 1);
  const checkins = fitting(rows.slice(0, limit).map(rosterCheckinView));
  const last = rows[checkins.length - 1];
  const nextFrom = from.nextFrom || clock - timeouts.rosterOverlapMs * 1000;
  if (checkins.length === rows.length || !last) {
    const next = { doors: ofDoors, version: nextFrom, id: '', nextFrom: 0 };
    return { checkins, next, hasMore: false };
  }
  return { checkins, next: { doors: ofDoors, ...keyOf(last), nextFrom }, hasMore: true };
}

const keyOf = ({ version, checkinId: id }: RosterCheckinRow) => ({ version, id });
