import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

/**
 * The columns of an attendee that the API returns, with all registrations of the person, oldest
 * first.
 */
export interface AttendeeRow {
  id: string;
  eventId: string;
  contactId: string;
  email: string;
  name: string | null;
  createdAt: Date;
  version: number;
  registrations: { id: string; status: RegistrationStatus }[];
}

// `registration_of_attendee` serves the registrations of each attendee.
export const attendeeSelect = `select a.id, a.event_id as "eventId", a.contact_id as "contactId", a.email, a.name,
   a.created_at as "createdAt", a.version,
   (select json_agg(json_build_object('id', r.id, 'status', r.status) order by r.place)
     from registration.registration r where r.attendee_id = a.id) as registrations
   from registration.attendee a`;

const attendeeById = statement<AttendeeRow>(
  'attendee_by_id',
  `${attendeeSelect} where a.business_unit_id = $1 and a.event_id = $2 and a.id = $3`,
);

/** One attendee. Errors: 404. */
export async function readAttendee(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  attendeeId: string,
): Promise<AttendeeRow> {
  const [row] = await db.query(attendeeById, [businessUnitId, eventId, attendeeId]);
  if (!row) throw notFound();
  return row;
}
