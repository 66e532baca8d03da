import {
  getAvailability,
  getChangesHead,
  getCheckinSummary,
  getEvent,
  getOrder,
  listAll,
  listChanges,
  listEvents,
  listOrders,
  listRegistrations,
  listTicketTypes,
} from '@event-api/client';
import { z } from 'zod';
import { readTool, type Tool } from '../tool.ts';
import { email, eventId, limit } from './fields.ts';

const guides = [
  ...['quick-start', 'checkout', 'doors', 'webhooks', 'keeping-a-copy'],
  ...['idempotency', 'errors', 'versions', 'limits', 'going-live'],
] as const;

/** Lists contain no names and emails. Only a search for an exact email shows a person. */
export const readTools: readonly Tool[] = [
  readTool({
    name: 'list_events',
    title: 'List events',
    description: 'The events of the business unit, newest first, with their ids and statuses.',
    input: z.object({ status: z.enum(['draft', 'published', 'archived']).optional(), limit }),
    run: ({ client }, { status, limit }) =>
      listEvents({ client, query: { limit, ...(status && { status }) } }),
  }),
  readTool({
    name: 'event_overview',
    title: 'Overview of an event',
    description:
      'An event with its ticket types, prices, sold and free seats, and check-ins per door.',
    input: z.object({ eventId }),
    async run({ client }, { eventId }) {
      const path = { eventId };
      const [event, checkins] = await Promise.all([
        getEvent({ client, path }),
        getCheckinSummary({ client, path }),
      ]);
      const ticketTypes = [];
      for await (const type of listAll(listTicketTypes, { client, path })) {
        const { id, name, status, priceAmount, isPublic } = type;
        const seats = await getAvailability({ client, path: { ...path, typeId: id } });
        ticketTypes.push({ id, name, status, priceAmount, isPublic, seats });
      }
      return { event, ticketTypes, checkins };
    },
  }),
  readTool({
    name: 'find_person',
    title: 'Find a person',
    description: 'The registrations and orders of one email in an event.',
    input: z.object({ eventId, email }),
    async run({ client }, { eventId, email }) {
      const options = { client, path: { eventId }, query: { email } };
      const [{ registrations }, { orders }] = await Promise.all([
        listRegistrations(options),
        listOrders(options),
      ]);
      // The code of a badge admits whoever shows it.
      return { registrations: registrations.map(({ checkinCode: _, ...rest }) => rest), orders };
    },
  }),
  readTool({
    name: 'list_orders',
    title: 'List orders',
    description:
      'The newest orders of an event: numbers, statuses, amounts and items, without buyers.',
    input: z.object({
      eventId,
      status: z
        .enum([
          'held',
          'awaiting_payment',
          'paid',
          'cancelled',
          'expired',
          'refund_due',
          'refunded',
        ])
        .optional(),
      limit,
    }),
    async run({ client }, { eventId, status, limit }) {
      const query = { limit, ...(status && { status }) };
      const { orders } = await listOrders({ client, path: { eventId }, query });
      return {
        orders: orders.map(({ orderNumber, status, totalAmount, currency, items, placedAt }) => ({
          ...{ orderNumber, status, totalAmount, currency, items, placedAt },
        })),
      };
    },
  }),
  readTool({
    name: 'get_order',
    title: 'Read an order',
    description: 'One order with its buyer, payments and refunds, by its number or id.',
    input: z.object({ eventId, order: z.string().describe('The number of the order, or ord_…') }),
    run: ({ client }, { eventId, order }) =>
      getOrder({ client, path: { eventId, orderId: order } }),
  }),
  readTool({
    name: 'changes_since',
    title: 'Changes since a position',
    description:
      'What happened since a cursor: sales, registrations, check-ins and edits, without personal data. Without a cursor it returns the present one.',
    input: z.object({ cursor: z.string().optional(), eventId: eventId.optional(), limit }),
    async run({ client }, { cursor, eventId, limit }) {
      if (!cursor) return { changes: [], nextCursor: (await getChangesHead({ client })).cursor };
      const query = { after: cursor, limit, ...(eventId && { eventId }) };
      const { changes, nextCursor } = await listChanges({ client, query });
      return { changes, nextCursor };
    },
  }),
  readTool({
    name: 'read_guide',
    title: 'Read a guide',
    description: 'A guide of the documentation, for writing code that uses the API.',
    input: z.object({ name: z.enum(guides) }),
    async run({ baseUrl }, { name }) {
      const url = `${baseUrl.replace(/\/+$/, '')}/docs/guides/${name}.md`;
      const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
      if (!response.ok) throw new Error(`${url} responds ${response.status}`);
      return { guide: await response.text() };
    },
  }),
];
