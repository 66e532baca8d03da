import {
  getAvailability,
  getChangesHead,
  getCheckinSummary,
  getEvent,
  getOrder,
  listAddons,
  listAll,
  listChanges,
  listEvents,
  listOrders,
  listRedemptionCodes,
  listRegistrations,
  listTicketTypes,
} from '@event-api/client';
import { z } from 'zod';
import { readTool, type Tool } from '../tool.ts';
import { email, eventId, limit, order as orderField, page } from './fields.ts';
import {
  addon,
  change,
  checkins,
  code,
  event,
  order,
  orderWithoutPeople,
  pageEnd,
  registration,
  seats,
  ticketType,
} from './outputs.ts';

const guides = [
  ...['quick-start', 'checkout', 'doors', 'webhooks', 'keeping-a-copy'],
  ...['applications-and-waitlists', 'codes-add-ons-and-bundles', 'form-answers'],
  ...['groups', 'cancellations-and-changes', 'payments', 'tax'],
  ...['idempotency', 'errors', 'versions', 'limits', 'going-live', 'running-an-event'],
] as const;

/** The page of a list in the query of an operation. */
const queryOf = ({ limit, cursor }: { limit: number; cursor?: string | undefined }) => ({
  ...{ limit, ...(cursor !== undefined && { cursor }) },
});

const endOf = <Page extends { nextCursor: string | null }>(page: Page) => ({
  ...{ ...page, hasMore: page.nextCursor !== null },
});

/** Lists contain no names and emails. Only a search for an exact email shows a person. */
export const readTools: readonly Tool[] = [
  readTool({
    name: 'list_events',
    title: 'List events',
    description: 'The events of the business unit, newest first, with their ids and statuses.',
    input: z.object({ status: z.enum(['draft', 'published', 'archived']).optional(), ...page }),
    output: z.object({ events: z.array(event), ...pageEnd }),
    run: async ({ client }, { status, ...page }) =>
      endOf(await listEvents({ client, query: { ...queryOf(page), ...(status && { status }) } })),
  }),
  readTool({
    name: 'event_overview',
    title: 'Overview of an event',
    description:
      'An event with its ticket types, add-ons, prices, sold and free seats, and check-ins per door.',
    input: z.object({ eventId }),
    output: z.object({
      event,
      ticketTypes: z.array(ticketType.extend({ seats })),
      addons: z.array(addon),
      checkins,
    }),
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
      const addons = [];
      for await (const addon of listAll(listAddons, { client, path })) addons.push(addon);
      return { event, ticketTypes, addons, checkins };
    },
  }),
  readTool({
    name: 'find_person',
    title: 'Find a person',
    description:
      'The registrations of one email in an event, and the orders that it placed without their other attendees.',
    input: z.object({
      eventId,
      email,
      limit,
      registrationsCursor: z.string().optional().describe('Where the registrations continue'),
      ordersCursor: z.string().optional().describe('Where the orders continue'),
    }),
    output: z.object({
      registrations: z.array(registration),
      orders: z.array(orderWithoutPeople),
      hasMore: z.boolean().describe('Whether one of the two lists has more records'),
      registrationsCursor: z.string().nullable().describe('Null on the last page'),
      ordersCursor: z.string().nullable().describe('Null on the last page'),
    }),
    async run({ client }, { eventId, email, limit, registrationsCursor, ordersCursor }) {
      const optionsOf = (cursor: string | undefined) => ({
        ...{ client, path: { eventId }, query: { email, ...queryOf({ limit, cursor }) } },
      });
      const [people, orders] = await Promise.all([
        listRegistrations(optionsOf(registrationsCursor)),
        listOrders(optionsOf(ordersCursor)),
      ]);
      return {
        registrations: people.registrations,
        orders: orders.orders,
        hasMore: (people.nextCursor ?? orders.nextCursor) !== null,
        registrationsCursor: people.nextCursor,
        ordersCursor: orders.nextCursor,
      };
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
      ...page,
    }),
    output: z.object({ orders: z.array(orderWithoutPeople), ...pageEnd }),
    async run({ client }, { eventId, status, ...page }) {
      const query = { ...queryOf(page), ...(status && { status }) };
      return endOf(await listOrders({ client, path: { eventId }, query }));
    },
  }),
  readTool({
    name: 'list_codes',
    title: 'List redemption codes',
    description: 'The redemption codes of an event with their ids, uses and discounts.',
    input: z.object({ eventId, status: z.enum(['active', 'disabled']).optional(), ...page }),
    output: z.object({ redemptionCodes: z.array(code), ...pageEnd }),
    async run({ client }, { eventId, status, ...page }) {
      const query = { ...queryOf(page), ...(status && { status }) };
      return endOf(await listRedemptionCodes({ client, path: { eventId }, query }));
    },
  }),
  readTool({
    name: 'get_order',
    title: 'Read an order',
    description: 'One order with its buyer, payments and refunds, by its number or id.',
    input: z.object({ eventId, order: orderField }),
    output: order,
    run: ({ client }, { eventId, order }) =>
      getOrder({ client, path: { eventId, orderId: order } }),
  }),
  readTool({
    name: 'changes_since',
    title: 'Changes since a position',
    description:
      'What happened since a cursor: sales, registrations, check-ins and edits, without personal data. Without a cursor it returns the present one.',
    input: z.object({ cursor: z.string().optional(), eventId: eventId.optional(), limit }),
    output: z.object({
      changes: z.array(change),
      hasMore: z.boolean().describe('False if nothing is newer'),
      nextCursor: z.string().describe('Where the next call continues'),
    }),
    async run({ client }, { cursor, eventId, limit }) {
      if (cursor === undefined) {
        const { cursor: nextCursor } = await getChangesHead({ client });
        return { changes: [], hasMore: false, nextCursor };
      }
      const query = { after: cursor, limit, ...(eventId && { eventId }) };
      const { changes, nextCursor } = await listChanges({ client, query });
      // Only an empty page is the end of the feed.
      return { changes, hasMore: changes.length > 0, nextCursor };
    },
  }),
  readTool({
    name: 'read_guide',
    title: 'Read a guide',
    description: 'A guide of the documentation, for writing code that uses the API.',
    input: z.object({ name: z.enum(guides) }),
    output: z.object({ guide: z.string() }),
    async run({ baseUrl }, { name }) {
      const url = `${baseUrl.replace(/\/+$/, '')}/docs/guides/${name}.md`;
      const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
      if (!response.ok) throw new Error(`${url} responds ${response.status}`);
      return { guide: await response.text() };
    },
  }),
];
