import {
  cancelOrder,
  confirmOrder,
  createAddon,
  createRedemptionCodes,
  disableRedemptionCode,
  getAddon,
  getEvent,
  getOrder,
  getRedemptionCode,
  getTicketType,
  placeOrder,
  updateAddon,
  updateEvent,
} from '@event-api/client';
import { z } from 'zod';
import { type Api, type Tool, writeTool } from '../tool.ts';
import { creationTool } from './create-once.ts';
import { defined, email, eventId, order, priceAmount, ticketTypeId } from './fields.ts';
import { addon, code, event, orderState } from './outputs.ts';
import { nameOfEvent, presentOrder } from './present.ts';

const newAddon = z.object({
  eventId,
  name: z.string(),
  priceAmount,
  open: z.boolean().default(false).describe('Whether the sale begins at once'),
});

const newCodes = z.object({
  eventId,
  ticketTypeId,
  code: z.string().optional().describe('Letters, digits, _ and -. Without it, random codes'),
  count: z.int().min(1).max(100).default(1).describe('How many random codes'),
  maxUses: z.int().min(1).nullable().default(1).describe('Null means unlimited'),
  expiresAt: z.string().optional().describe('ISO 8601 with an offset'),
  discount: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('percent'), value: z.int().min(1).max(100) }),
      z.strictObject({ type: z.literal('amount'), value: z.int().min(1) }),
    ])
    .optional()
    .describe('Of each seat. An amount is in the minor unit of the currency'),
});

const attendee = z.strictObject({ email, name: z.string().optional() });

const line = z.strictObject({
  itemType: z.enum(['ticket_type', 'addon']),
  itemId: z.string().describe('The id of the ticket type or the add-on, from event_overview'),
  quantity: z.int().min(1).default(1),
  attendees: z
    .array(attendee)
    .optional()
    .describe(
      'One per seat. Without them, the only seat is that of the buyer, except with assignLater',
    ),
});

const newOrder = z.object({
  eventId,
  email,
  name: z.string().optional(),
  items: z.array(line).min(1),
  assignLater: z
    .boolean()
    .optional()
    .describe('Sells the seats without attendees: open seats, see assign_seat'),
  redemptionCode: z.string().optional(),
  responses: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The answers to the form, by question id'),
});

/** What an item is, with its present price. */
async function presentItem({ client }: Api, eventId: string, item: z.output<typeof line>) {
  const { itemType, itemId: id, quantity, attendees } = item;
  const { name, priceAmount } =
    itemType === 'addon'
      ? await getAddon({ client, path: { eventId, id } })
      : await getTicketType({ client, path: { eventId, typeId: id } });
  return { itemType, name, priceAmount, quantity, attendees };
}

/** Tools that set up and run a sale. Each describes its change first. */
export const saleTools: readonly Tool[] = [
  writeTool({
    name: 'publish_event',
    title: 'Publish an event',
    description: 'Publishes a draft event. An event without a start needs one.',
    input: z.object({
      eventId,
      startsAt: z.string().optional().describe('ISO 8601 with an offset'),
    }),
    output: event,
    isDestructive: false,
    async preview({ client }, { eventId, startsAt }) {
      const { name, status, timezone, ...event } = await getEvent({ client, path: { eventId } });
      return { publish: name, status, timezone, startsAt: startsAt ?? event.startsAt };
    },
    run: ({ client }, { eventId, ...start }) => {
      const body = { ...defined(start), status: 'published' as const };
      return updateEvent({ client, path: { eventId }, body });
    },
  }),
  creationTool({
    name: 'create_addon',
    title: 'Create an add-on',
    description: 'Creates an add-on of an event, as a draft or open for sale.',
    input: newAddon,
    output: addon,
    preview: async (api, { eventId, ...addon }) => ({
      ...{ create: 'add-on', event: await nameOfEvent(api, eventId), ...addon },
    }),
    async run({ client }, { eventId, open, ...body }, headers) {
      const path = { eventId };
      const created = await createAddon({ client, path, body, headers });
      if (!open) return created;
      const addonPath = { ...path, id: created.id };
      return updateAddon({ client, path: addonPath, body: { status: 'open' } });
    },
  }),
  creationTool({
    name: 'create_codes',
    title: 'Create redemption codes',
    description: 'Creates one code of your choice, or random ones, for a ticket type.',
    input: newCodes,
    output: z.object({ redemptionCodes: z.array(code) }),
    async preview(api, { eventId, ticketTypeId, ...codes }) {
      const path = { eventId, typeId: ticketTypeId };
      const [event, { name }] = await Promise.all([
        nameOfEvent(api, eventId),
        getTicketType({ client: api.client, path }),
      ]);
      return { create: 'redemption codes', event, ticketType: name, ...codes };
    },
    run({ client }, { eventId, ticketTypeId, ...codes }, headers) {
      const body = { ...defined(codes), registrationTypeId: ticketTypeId };
      return createRedemptionCodes({ client, path: { eventId }, body, headers });
    },
  }),
  writeTool({
    name: 'disable_code',
    title: 'Disable a redemption code',
    description: 'Ends a redemption code. Orders that have used it stay.',
    input: z.object({ eventId, codeId: z.string().describe('The id, code_…, from list_codes') }),
    output: code,
    isDestructive: true,
    async preview({ client }, path) {
      const { code, status, uses } = await getRedemptionCode({ client, path });
      return { disable: code, status, uses };
    },
    run: ({ client }, path) => disableRedemptionCode({ client, path }),
  }),
  creationTool({
    name: 'place_order',
    title: 'Place an order',
    description:
      'Holds the seats of a buyer. Confirm the order next. Nothing is placed if the buyer is already registered.',
    input: newOrder,
    output: orderState.partial().extend({
      alreadyRegistered: z.boolean(),
      registrationId: z.string().nullable().describe('That of a buyer who is registered'),
    }),
    async preview(api, { eventId, items, ...order }) {
      const event = await nameOfEvent(api, eventId);
      const lines = await Promise.all(items.map((item) => presentItem(api, eventId, item)));
      return { placeOrder: order, event, items: lines };
    },
    async run({ client }, { eventId, items, ...order }, headers) {
      const path = { eventId };
      const body = { ...defined(order), items: items.map((item) => lineOf(item)) };
      const placed = await placeOrder({ client, path, body, headers });
      if (!('id' in placed)) return placed;
      // The response to a repeated call is that of the first one. The hold may have ended since.
      const present = await getOrder({ client, path: { ...path, orderId: placed.id } });
      return { ...placed, ...present };
    },
  }),
  writeTool({
    name: 'confirm_order',
    title: 'Confirm an order',
    description:
      'Confirms a held order: a free one is paid at once, any other gets the page where the buyer pays.',
    input: z.object({
      eventId,
      order,
      successUrl: z.string().optional().describe('Where the buyer goes after the payment'),
      cancelUrl: z.string().optional().describe('Where the buyer goes without one'),
    }),
    output: orderState,
    isDestructive: false,
    preview: async (api, { eventId, order }) => ({
      ...{ confirm: await presentOrder(api, eventId, order) },
    }),
    run({ client }, { eventId, order: orderNumber, ...urls }) {
      return confirmOrder({ client, path: { eventId, orderNumber }, body: defined(urls) });
    },
  }),
  writeTool({
    name: 'cancel_order',
    title: 'Cancel an order',
    description:
      'Cancels an order that is not paid, or a free one with its registrations, and releases its seats.',
    input: z.object({ eventId, order }),
    output: orderState,
    isDestructive: true,
    preview: async (api, { eventId, order }) => ({
      ...{ cancel: await presentOrder(api, eventId, order) },
    }),
    run({ client }, { eventId, order: orderNumber }) {
      return cancelOrder({ client, path: { eventId, orderNumber } });
    },
  }),
];

const lineOf = ({ attendees, ...item }: z.output<typeof line>) => ({
  ...item,
  ...(attendees && { attendees: attendees.map(defined) }),
});
