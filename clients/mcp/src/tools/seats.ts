import { assignSeat, changeOrder } from '@event-api/client';
import { z } from 'zod';
import { type Tool, writeTool } from '../tool.ts';
import { defined, email, eventId, order } from './fields.ts';
import { orderState, quote } from './outputs.ts';
import { presentOrder, presentSeat } from './present.ts';

const cancelledAddon = z.strictObject({
  itemIndex: z.int().min(0).describe('The index of the add-on in items of the order'),
  quantity: z.int().min(1).default(1).describe('How many units'),
  registrationId: z.string().optional().describe('The recipient, if the item names recipients'),
});

const change = z.object({
  eventId,
  order,
  cancelSeats: z.array(z.string()).optional().describe('Ids of seats, seat_…, from get_order'),
  cancelAddons: z.array(cancelledAddon).optional(),
  changeTypes: z
    .array(z.strictObject({ seatId: z.string(), ticketTypeId: z.string() }))
    .optional()
    .describe('Seats that get another ticket type'),
  quoteId: z
    .string()
    .optional()
    .describe('Only with confirm: the id of the quote, instead of the changes'),
  successUrl: z.string().optional().describe('With the quoteId of a quote with an amountToPay'),
  cancelUrl: z.string().optional().describe('As successUrl'),
});

const newAttendee = z.object({
  eventId,
  order,
  seatId: z.string().describe('The id of an open seat, seat_…, from get_order'),
  email,
  name: z.string().optional(),
  responses: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The answers of the attendee to the form. Without them, those of the order'),
});

/** Tools that change the seats of a paid order. Each describes its change first. */
export const seatTools: readonly Tool[] = [
  writeTool({
    name: 'change_order',
    title: 'Change seats or add-ons of a paid order',
    description:
      'Cancels seats and add-ons, or changes ticket types. Without confirm it quotes what is paid back and what is to be paid. With confirm and quoteId, exactly what was quoted happens; a quote with an amountToPay happens when the buyer has paid the paymentUrl.',
    input: change,
    output: z.object({
      ...{ status: z.string(), paymentUrl: z.string().nullable(), quote, order: orderState },
    }),
    isDestructive: true,
    toDoIt: 'call the tool with confirm: true and the id of the quote as quoteId, without the rest',
    async preview(api, { eventId, order: orderNumber, ...requested }) {
      const { cancelSeats, cancelAddons, changeTypes } = requested;
      const path = { eventId, orderNumber };
      const addons = cancelAddons && { cancelAddons: cancelAddons.map(defined) };
      const body = { dryRun: true, ...defined({ cancelSeats, changeTypes }), ...addons };
      const { quote } = await changeOrder({ client: api.client, path, body });
      return { change: await presentOrder(api, eventId, orderNumber), quote };
    },
    run({ client }, { eventId, order: orderNumber, cancelAddons, ...change }) {
      // The API refuses changes without their quote, and a quote with other changes.
      const addons = cancelAddons && { cancelAddons: cancelAddons.map(defined) };
      const body = { ...defined(change), ...addons };
      return changeOrder({ client, path: { eventId, orderNumber }, body });
    },
  }),
  writeTool({
    name: 'assign_seat',
    title: 'Assign an open seat',
    description:
      'Registers a person on a seat that was sold without an attendee. The order must be paid. No money moves.',
    input: newAttendee,
    output: orderState,
    isDestructive: false,
    preview: async (api, { eventId, order, seatId, ...attendee }) => ({
      ...{ assign: attendee, order: await presentOrder(api, eventId, order) },
      seat: await presentSeat(api, { eventId, order, seatId }),
    }),
    run({ client }, { eventId, order: orderNumber, seatId, ...attendee }) {
      const path = { eventId, orderNumber, seatId };
      return assignSeat({ client, path, body: defined(attendee) });
    },
  }),
];
