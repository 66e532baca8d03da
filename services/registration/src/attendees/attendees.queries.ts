import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { recordReader } from '@event-api/platform/db/record';

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
   coalesce((select json_agg(json_build_object('id', r.id, 'status', r.status) order by r.insertion_order)
     from registration.registration r where r.attendee_id = a.id), '[]') as registrations
   from registration.attendee a`;

/** Reads one attendee. */
export const { read: readAttendee } = recordReader<AttendeeRow>({
  name: 'attendee_by_id',
  select: attendeeSelect,
  alias: 'a',
});
