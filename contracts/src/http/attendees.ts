import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import { id, ListQuery, listOf, timestampOut } from './fields.ts';
import { registrationStatuses } from './registrations.ts';

export const Attendee = z
  .object({
    id: id('att'),
    eventId: id('evt'),
    contactId: id('con'),
    email: z.string(),
    name: z.string().nullable(),
    status: z.enum(registrationStatuses).meta({ description: 'The best of its registrations.' }),
    registrationIds: z.array(id('reg')),
    createdAt: timestampOut(),
  })
  .meta({ id: 'Attendee' });

export const listAttendees = operation({
  method: 'GET',
  url: '/v1/events/:eventId/attendees',
  config: {
    operationId: 'listAttendees',
    tag: 'Attendees',
    summary: 'List attendees',
    description: 'One entry a person, newest first.',
    owner: 'registration',
    audience: 'api',
  },
  schema: {
    params: EventPath,
    querystring: ListQuery,
    response: { 200: listOf('attendees', Attendee) },
  },
});
