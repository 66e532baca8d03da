// A ticket shop. It lists what is on sale, places an order, sends the buyer to the payment page and
// shows the result.
//   EVENT_API_KEY=sk_… EVENT_ID=evt_… node examples/ticket-shop.ts
import { randomUUID } from 'node:crypto';
import {
  confirmOrder,
  createClient,
  createRegistration,
  EventApiError,
  getEvent,
  getOrder,
  listAll,
  listTicketTypes,
  type Order,
  placeOrder,
} from '@event-api/client';
import type { FastifyReply } from 'fastify';
import { createPages, html, listen, sendPage } from './pages.ts';
import { api, setting } from './settings.ts';

const client = createClient(api());
const path = { eventId: setting('EVENT_ID') };
const app = createPages();

/** What a buyer can do about a rejected order. Other reasons are faults of the shop. */
const explanations: Record<string, string> = {
  SOLD_OUT: 'These tickets are sold out.',
  NOT_ON_SALE: 'These tickets are not on sale any more.',
  TOO_MANY_HOLDS: 'You have other orders that are not paid yet. Pay one of them first.',
  TOO_MANY_SEATS: 'This is more than one person may buy.',
  CODE_INVALID: 'This code is not valid.',
};

app.get('/', async (_request, reply) => {
  const event = await getEvent({ client, path });
  const price = new Intl.NumberFormat('en', { style: 'currency', currency: event.currency });
  const minorUnits = 10 ** (price.resolvedOptions().maximumFractionDigits ?? 2);
  const offers = [];
  for await (const type of listAll(listTicketTypes, { client, path, query: { status: 'open' } })) {
    if (!type.isPublic) continue;
    const cost = type.priceAmount === 0 ? 'free' : price.format(type.priceAmount / minorUnits);
    offers.push(html`<form method="post" action="/orders">
      <h2>${type.name}, ${type.availability.remaining === 0 ? 'sold out' : cost}</h2>
      <p>${type.description}</p>
      <input type="hidden" name="typeId" value="${type.id}">
      <input type="hidden" name="attempt" value="${randomUUID()}">
      <label>Email <input name="email" type="email" required autocomplete="email"></label>
      <button>${type.requiresApproval ? 'Apply' : 'Buy'}</button>
    </form>`);
  }
  return sendPage(reply, event.name, html`${offers}`);
});

const applied = 'We have received your application';

interface Form {
  typeId: string;
  email: string;
  attempt: string;
}

app.post<{ Body: Form }>('/orders', async ({ body: form, host }, reply) => {
  try {
    const items = [{ itemType: 'ticket_type' as const, itemId: form.typeId }];
    // A second click on the button repeats the request, and the key makes it the same order.
    const headers = { 'Idempotency-Key': form.attempt };
    const placed = await placeOrder({ client, path, headers, body: { email: form.email, items } });
    if (!('orderNumber' in placed)) {
      const title = placed.registrationStatus === 'confirmed' ? 'You have a ticket' : applied;
      return sendPage(reply, title, html`<p>${form.email} is already registered.</p>`);
    }
    const { orderNumber } = placed;
    const shop = `http://${host}`;
    const urls = { successUrl: `${shop}/thanks?order={ORDER_NUMBER}`, cancelUrl: `${shop}/` };
    const order = await confirmOrder({ client, path: { ...path, orderNumber }, body: urls });
    return reply.redirect(order.paymentUrl ?? `/thanks?order=${orderNumber}`, 303);
  } catch (error) {
    if (!(error instanceof EventApiError)) throw error;
    if (error.reason === 'APPROVAL_REQUIRED') return apply(reply, form);
    const explanation =
      error.field === 'email' ? 'This is not an email address.' : explanations[error.reason ?? ''];
    if (!explanation) throw error;
    reply.code(422);
    return sendPage(reply, 'Not ordered', html`<p>${explanation}</p><p><a href="/">Back</a></p>`);
  }
});

/** A ticket with a price is sold after the approval only. No payment is taken for an application. */
async function apply(reply: FastifyReply, { typeId, email }: Form): Promise<FastifyReply> {
  // A second click finds the application.
  await createRegistration({ client, path, body: { email, registrationTypeId: typeId } });
  return sendPage(reply, applied, html`<p>Order the ticket here when it is approved.</p>`);
}

app.get<{ Querystring: { order?: string } }>('/thanks', async ({ query }, reply) => {
  const order = await getOrder({ client, path: { ...path, orderId: query.order ?? '' } });
  // The payment provider reports a payment a moment after the buyer returns.
  const isOpen = order.status === 'held' || order.status === 'awaiting_payment';
  const again = isOpen ? html`<meta http-equiv="refresh" content="1">` : null;
  const title = order.status === 'paid' ? titleOf(order) : `Your order is ${order.status}`;
  return sendPage(reply, title, html`<p>Order ${order.orderNumber}</p>`, again);
});

/** A registration of a ticket type that requires approval is pending, and no door accepts it yet. */
const titleOf = ({ registrations }: Order): string =>
  registrations.some(({ status }) => status === 'pending') ? applied : 'Thank you';

app.setErrorHandler((error, _request, reply) => {
  const isUnknown = error instanceof EventApiError && error.httpStatus === 404;
  const requestId = error instanceof EventApiError ? error.requestId : null;
  if (!isUnknown) console.error(error);
  reply.code(isUnknown ? 404 : 500);
  return sendPage(
    reply,
    isUnknown ? 'Not found' : 'Please try again later',
    html`<p>${requestId && `Quote ${requestId} to the organizer.`}</p>`,
  );
});

await listen(app);
