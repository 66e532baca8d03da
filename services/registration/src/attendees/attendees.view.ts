import type { Attendee } from '@event-api/contracts/http/attendees';
import type { z } from 'zod';
import type { AttendeeRow } from './attendees.queries.ts';
import { attendeeStatus } from './attendees.rules.ts';

/** An attendee as the API returns it. */
export function attendeeView(row: AttendeeRow): z.input<typeof Attendee> {
  return {
    id: row.id,
    eventId: row.eventId,
    contactId: row.contactId,
    email: row.email,
    name: row.name,
    status: attendeeStatus(row.registrations.map(({ status }) => status)),
    registrationIds: row.registrations.map(({ id }) => id),
    createdAt: row.createdAt.toISOString(),
  };
}
