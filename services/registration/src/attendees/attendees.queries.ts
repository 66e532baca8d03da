import { columnsOf, jsonOf, type RowOf } from '@event-api/platform/db/columns';
import { recordReader } from '@event-api/platform/db/record';
import { Registration } from '../registrations/registration.entity.ts';
import { Attendee } from './attendee.entity.ts';

const columns = columnsOf(Attendee, 'a', {
  omit: ['businessUnitId', 'normalEmail', 'insertionOrder'],
});

const registration = jsonOf(Registration, 'r', { only: ['id', 'status'] });

/**
 * The columns of an attendee that the API returns, with all registrations of the person, oldest
 * first.
 */
export type AttendeeRow = RowOf<typeof columns> & {
  registrations: RowOf<typeof registration>[];
};

// `registration_of_attendee` serves the registrations of each attendee.
export const attendeeSelect = `select ${columns.sql},
   coalesce((select json_agg(${registration.sql} order by r.insertion_order)
     from registration.registration r where r.attendee_id = a.id), '[]') as registrations
   from registration.attendee a`;

/** Reads one attendee. */
export const { read: readAttendee } = recordReader<AttendeeRow>({
  name: 'attendee_by_id',
  select: attendeeSelect,
  alias: 'a',
});
