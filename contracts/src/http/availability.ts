import { z } from 'zod';
import { operation } from '../operation.ts';
import { TicketTypePath } from './ticket-types.ts';

export const Availability = z
  .object({
    capacity: z.int().nullable().meta({ description: 'Null means unlimited.', example: 200 }),
    confirmed: z.int().meta({ example: 120 }),
    waitlisted: z.int(),
    held: z
      .int()
      .meta({ description: 'Seats held for orders that are not settled yet.', example: 6 }),
    remaining: z.int().nullable().meta({
      description:
        'Null for an unlimited ticket type; 0 while people on the waitlist can still be promoted.',
      example: 74,
    }),
  })
  .meta({ id: 'Availability' });

export const getAvailability = operation({
  method: 'GET',
  url: '/v1/events/:eventId/ticket-types/:typeId/availability',
  config: {
    operationId: 'getAvailability',
    permission: 'catalog.read',
    tag: 'Ticket types',
    summary: 'Read the availability of a ticket type',
    description: 'Exact at the time of the response. Expired holds do not count.',
    owner: 'registration',
    audience: 'api',
  },
  schema: { params: TicketTypePath, response: { 200: Availability } },
});
