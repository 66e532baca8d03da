import type { EventStatus } from '@event-api/contracts/http/events';
import type { RosterEvent } from '@event-api/contracts/http/roster';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { AdmissionTimes } from '@event-api/rules/checkin-decision';

/** The columns of an event `e` with its rules `f` that decide at its doors. */
export const eventAtDoorColumns = `e.status as "eventStatus", e.starts_at as "startsAt", e.ends_at as "endsAt", e.timezone,
  e.admission_opens_at as "eventOpensAt", e.admission_closes_at as "eventClosesAt", e.cancelled_at as "cancelledAt",
  coalesce(f.refuse_if_former_inside, false) as "refuseIfFormerInside"`;

/** The projected event with its rules. */
export const eventAtDoorFrom = `onsite.event_projection e
   left join onsite.door_rule f on f.event_id = e.id and f.business_unit_id = e.business_unit_id`;

export interface EventAtDoorRow {
  eventStatus: EventStatus | null;
  startsAt: Date | null;
  endsAt: Date | null;
  timezone: string | null;
  eventOpensAt: Date | null;
  eventClosesAt: Date | null;
  cancelledAt: Date | null;
  refuseIfFormerInside: boolean;
}

/** Times of admission as decisions take them. */
export const admissionOf = (opensAt: Date | null, closesAt: Date | null): AdmissionTimes => ({
  admissionOpensAt: opensAt?.toISOString() ?? null,
  admissionClosesAt: closesAt?.toISOString() ?? null,
});

export const eventAtDoor = (row: EventAtDoorRow): RosterEvent => ({
  status: row.eventStatus,
  startsAt: row.startsAt?.toISOString() ?? null,
  endsAt: row.endsAt?.toISOString() ?? null,
  timezone: row.timezone,
  ...admissionOf(row.eventOpensAt, row.eventClosesAt),
  cancelledAt: row.cancelledAt?.toISOString() ?? null,
  refuseIfFormerInside: row.refuseIfFormerInside,
});

const byId = statement<EventAtDoorRow>(
  'event_at_door',
  `select ${eventAtDoorColumns} from ${eventAtDoorFrom} where e.business_unit_id = $1 and e.id = $2`,
);

/** Reads what decides at all doors of a projected event. Errors: 404. */
export async function readEventAtDoor(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<RosterEvent> {
  const [row] = await db.query(byId, [businessUnitId, eventId]);
  if (!row) throw notFound('event');
  return eventAtDoor(row);
}
