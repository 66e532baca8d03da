import { operation } from '../operation.ts';
import { Availability, TicketTypePath } from './ticket-types.ts';

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
