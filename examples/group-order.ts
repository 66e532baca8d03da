// Buys open seats for a group, and gives each of them to a person once the order is paid.
//   EVENT_API_KEY=sk_… EVENT_ID=evt_… TICKET_TYPE_ID=tt_… node examples/group-order.ts buyer@example.com ada@example.com …

import { setTimeout as sleep } from 'node:timers/promises';
import {
  assignSeat,
  confirmOrder,
  createClient,
  EventApiError,
  getOrder,
  placeOrder,
} from '@event-api/client';
import { api, setting } from './settings.ts';

const client = createClient(api());
const path = { eventId: setting('EVENT_ID') };
const [buyer, ...people] = process.argv.slice(2);
if (!buyer || people.length === 0) throw new Error('name the buyer and at least one person');

// The people are not known to the order: it sells seats without attendees.
const items = [
  {
    itemType: 'ticket_type' as const,
    itemId: setting('TICKET_TYPE_ID'),
    quantity: people.length,
  },
];
const placed = await placeOrder({ client, path, body: { email: buyer, items, assignLater: true } });
if (!('orderNumber' in placed)) throw new Error(`${buyer} is already registered`);
const { orderNumber } = placed;
const returnUrl = 'https://example.com/';
const urls = { successUrl: returnUrl, cancelUrl: returnUrl };
let order = await confirmOrder({ client, path: { ...path, orderNumber }, body: urls });
if (order.paymentUrl) console.log(`pay for ${orderNumber} at ${order.paymentUrl}`);
while (order.status === 'awaiting_payment') {
  await sleep(1000);
  order = await getOrder({ client, path: { ...path, orderId: order.id } });
}
if (order.status !== 'paid') throw new Error(`the order is ${order.status}`);

const open = order.seats.filter(({ status }) => status === 'open');
for (const [n, email] of people.entries()) {
  const seatId = open[n]?.id ?? '';
  try {
    // Safe to repeat: the same person gets the same seat.
    await assignSeat({ client, path: { ...path, orderNumber, seatId }, body: { email } });
    console.log(`${email} has a seat`);
  } catch (error) {
    if (!(error instanceof EventApiError) || error.reason !== 'ATTENDEE_REGISTERED') throw error;
    console.log(`${email} was registered before: a seat stays open`);
  }
}
