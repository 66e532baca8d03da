import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import { id, idFilter, ListQuery, listOf, timestampOut } from './fields.ts';

export const exhibitorStatuses = ['pending', 'confirmed', 'declined'] as const;
export type ExhibitorStatus = (typeof exhibitorStatuses)[number];

export const Exhibitor = z
  .object({
    id: id('exh'),
    eventId: id('evt'),
    name: z.string().meta({ example: 'Analytical Engines' }),
    description: z.string().nullable(),
    website: z.string().nullable().meta({ example: 'https://engines.example' }),
    status: z.enum(exhibitorStatuses),
    members: z.array(z.object({ registrationId: id('reg'), role: z.string() })).meta({
      description: 'The registrations that staff the company. A registration staffs at most one.',
    }),
    booths: z.array(
      z.object({
        id: id('booth'),
        number: z.string().meta({ example: 'A12' }),
        type: z.string().meta({ example: 'corner' }),
        venueId: id('ven').nullable(),
      }),
    ),
    createdAt: timestampOut(),
  })
  .meta({ id: 'Exhibitor' });

const config = { tag: 'Exhibitors', owner: 'onsite', audience: 'api' } as const;

export const listExhibitors = operation({
  method: 'GET',
  url: '/v1/events/:eventId/exhibitors',
  config: {
    ...config,
    operationId: 'listExhibitors',
    permission: 'catalog.read',
    summary: 'List exhibitors',
    description: 'Newest first. `registrationId` narrows the list to the company that it staffs.',
  },
  schema: {
    params: EventPath,
    querystring: ListQuery.extend({
      registrationId: idFilter('Only the company that this registration staffs.'),
    }),
    response: { 200: listOf('exhibitors', Exhibitor) },
  },
});

export const getExhibitor = operation({
  method: 'GET',
  url: '/v1/events/:eventId/exhibitors/:exhibitorId',
  config: {
    ...config,
    operationId: 'getExhibitor',
    permission: 'catalog.read',
    summary: 'Read one exhibitor',
  },
  schema: {
    params: EventPath.extend({ exhibitorId: id('exh') }),
    response: { 200: Exhibitor },
  },
});
