import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import { id, ListQuery, listOf, timestampOut } from './fields.ts';

const gate = () =>
  z.array(id('perk')).meta({
    description: 'Any one of these perks opens the door. An empty list opens it to everyone.',
  });

export const Session = z
  .object({
    id: id('ses'),
    eventId: id('evt'),
    title: z.string().meta({ example: 'Opening keynote' }),
    description: z.string().nullable(),
    startsAt: timestampOut('2027-05-10T07:00:00.000Z'),
    endsAt: timestampOut('2027-05-10T08:00:00.000Z'),
    venueId: id('ven').nullable(),
    perkIds: gate(),
    createdAt: timestampOut(),
  })
  .meta({ id: 'Session' });

export const Speaker = z
  .object({
    id: id('spk'),
    eventId: id('evt'),
    name: z.string().meta({ example: 'Grace Hopper' }),
    title: z.string().nullable(),
    bio: z.string().nullable(),
    registrationId: id('reg').nullable(),
    sessionIds: z.array(id('ses')),
    createdAt: timestampOut(),
  })
  .meta({ id: 'Speaker' });

export const Venue = z
  .object({
    id: id('ven'),
    eventId: id('evt'),
    name: z.string().meta({ example: 'Hall A' }),
    description: z.string().nullable(),
    perkIds: gate(),
    createdAt: timestampOut(),
  })
  .meta({ id: 'Venue' });

const config = { tag: 'Program', owner: 'onsite', audience: 'api' } as const;

export const listSessions = operation({
  method: 'GET',
  url: '/v1/events/:eventId/sessions',
  config: {
    ...config,
    operationId: 'listSessions',
    permission: 'catalog.read',
    summary: 'List the agenda',
    description: 'In the order of time.',
  },
  schema: {
    params: EventPath,
    querystring: ListQuery,
    response: { 200: listOf('sessions', Session) },
  },
});

export const getSession = operation({
  method: 'GET',
  url: '/v1/events/:eventId/sessions/:id',
  config: {
    ...config,
    operationId: 'getSession',
    permission: 'catalog.read',
    summary: 'Read one session',
    description: 'A session that a date move has cleared is a 404.',
  },
  schema: { params: EventPath.extend({ id: id('ses') }), response: { 200: Session } },
});

export const listSpeakers = operation({
  method: 'GET',
  url: '/v1/events/:eventId/speakers',
  config: {
    ...config,
    operationId: 'listSpeakers',
    permission: 'catalog.read',
    summary: 'List the speakers',
    description: 'Newest first, with the sessions of each speaker that are on the agenda.',
  },
  schema: {
    params: EventPath,
    querystring: ListQuery,
    response: { 200: listOf('speakers', Speaker) },
  },
});

export const getSpeaker = operation({
  method: 'GET',
  url: '/v1/events/:eventId/speakers/:id',
  config: {
    ...config,
    operationId: 'getSpeaker',
    permission: 'catalog.read',
    summary: 'Read one speaker',
    description: 'With the sessions of the speaker that are on the agenda.',
  },
  schema: { params: EventPath.extend({ id: id('spk') }), response: { 200: Speaker } },
});

export const listVenues = operation({
  method: 'GET',
  url: '/v1/events/:eventId/venues',
  config: {
    ...config,
    operationId: 'listVenues',
    permission: 'catalog.read',
    summary: 'List the venues',
    description: 'Newest first.',
  },
  schema: {
    params: EventPath,
    querystring: ListQuery,
    response: { 200: listOf('venues', Venue) },
  },
});

export const getVenue = operation({
  method: 'GET',
  url: '/v1/events/:eventId/venues/:id',
  config: {
    ...config,
    operationId: 'getVenue',
    permission: 'catalog.read',
    summary: 'Read one venue',
  },
  schema: { params: EventPath.extend({ id: id('ven') }), response: { 200: Venue } },
});
