import type { ExhibitorStatus } from '@event-api/contracts/http/exhibitors';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import { exhibitorChanged, recordUpdated } from '../changes/record-changes.ts';
import { isOnAgendaSql } from '../program/agenda.ts';

const leaveSessions = statement<{ id: string; version: number; isOnAgenda: boolean }>(
  'venue_leave_sessions',
  `update onsite.session s set venue_id = null, version = ${nextVersionSql}
   where business_unit_id = $1 and event_id = $2 and venue_id = $3
   returning id, version, coalesce((select ${isOnAgendaSql} from onsite.event_projection e where e.id = s.event_id), true)
     as "isOnAgenda"`,
);

// Releasing a booth locks the exhibitor before the booth, so the exhibitors come first here, too.
const touchExhibitors = statement<{ id: string; status: ExhibitorStatus; version: number }>(
  'venue_touch_exhibitors',
  `update onsite.exhibitor set version = ${nextVersionSql}
   where (business_unit_id = $1) is true and (event_id = $2) is true and id = any(array(
     select exhibitor_id from onsite.booth where business_unit_id = $1 and event_id = $2 and venue_id = $3))
   returning id, status, version`,
);

const leaveBooths = statement(
  'venue_leave_booths',
  `update onsite.booth set venue_id = null
   where business_unit_id = $1 and event_id = $2 and venue_id = $3`,
);

/**
 * Removes a venue from its sessions and booths. The caller holds the lock of the venue. Reports:
 * `session.updated` for each session of the agenda, and `exhibitor.updated` for each exhibitor with
 * a booth there.
 */
export async function detachVenue(tx: Tx, scope: EventScope, venueId: string): Promise<void> {
  const values = [scope.businessUnitId, scope.eventId, venueId];
  const sessions = await tx.query(leaveSessions, values);
  const exhibitors = await tx.query(touchExhibitors, values);
  await tx.query(leaveBooths, values);
  writeChanges(tx, [
    ...sessions
      .filter(({ isOnAgenda }) => isOnAgenda)
      .map((session) => recordUpdated('session', { ...scope, ...session })),
    ...exhibitors.map((exhibitor) =>
      exhibitorChanged({ ...scope, ...exhibitor }, exhibitor.status),
    ),
  ]);
}
