import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import { emailFilter, id, ListQuery, listOf, timestampOut, updatedSince } from './fields.ts';
import { registrationStatuses } from './registrations.ts';

export const Attendee = z
  .object({
    id: id('att'),
    eventId: id('evt'),
    contactId: id('con'),
    email: z.string(),
    name: z.string().nullable(),
    status: z
      .enum(registrationStatuses)
      .meta({ description: 'The best status among the registrations.' }),
    registrationIds: z.array(id('reg')),
    createdAt: timestampOut(),
  })
  .meta({ id: 'Attendee' });

const config = { tag: 'Attendees', owner: 'registration', audience: 'api' } as const;

export const listAttendees = operation({
  method: 'GET',
  url: '/v1/events/:eventId/attendees',
  config: {
    ...config,
    operationId: 'listAttendees',
    permission: 'people.read',
    summary: 'List attendees',
    description: 'One entry per person, newest first, or with `updatedSince` oldest change first.',
  },
  schema: {
    params: EventPath,
    querystring: ListQuery.extend({ email: emailFilter(), updatedSince: updatedSince() }),
    response: { 200: listOf('attendees', Attendee) },
  },
});

export const getAttendee = operation({
  method: 'GET',
  url: '/v1/events/:eventId/attendees/:id',
  config: {
    ...config,
    operationId: 'getAttendee',
    permission: 'people.read',
    summary: 'Read one attendee',
  },
  schema: { params: EventPath.extend({ id: id('att') }), response: { 200: Attendee } },
});
