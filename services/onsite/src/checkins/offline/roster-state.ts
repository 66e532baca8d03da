import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { findPosition, type RosterPosition } from '../roster/cursor.ts';
import { readLastChanges } from '../roster/roster.queries.ts';

/** A scan of a badge, with the cursor of the roster that the device has decided with. */
interface DecidedWith {
  registrationId: string | null;
  rosterCursor: string | null;
}

/**
 * Returns for each scan whether its badge is as it was in the roster of the device. Null without a
 * cursor of a roster, for one of another epoch and for an unknown badge.
 */
export async function compareWithRosters(
  db: Db,
  scope: EventScope,
  scans: readonly DecidedWith[],
): Promise<(boolean | null)[]> {
  const positions = scans.map(({ registrationId, rosterCursor }) =>
    registrationId !== null && rosterCursor !== null ? findPosition(scope, rosterCursor) : null,
  );
  const ids = scans.flatMap(({ registrationId }, index) =>
    positions[index] && registrationId !== null ? [registrationId] : [],
  );
  if (ids.length === 0) return scans.map(() => null);
  const { epoch, changedSeqs } = await readLastChanges(db, scope, [...new Set(ids)]);
  return scans.map(({ registrationId }, index) => {
    const position = positions[index];
    const changedSeq = changedSeqs.get(registrationId ?? '');
    if (!position || position.epoch !== epoch || changedSeq === undefined) return null;
    return !isAfter({ seq: changedSeq, id: registrationId ?? '' }, position);
  });
}

type Key = Pick<RosterPosition, 'seq' | 'id'>;

const isAfter = (key: Key, position: Key): boolean =>
  key.seq > position.seq || (key.seq === position.seq && key.id > position.id);
