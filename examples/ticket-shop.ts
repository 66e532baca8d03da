// A ticket shop. It lists what is on sale, places an order or takes an application, sends the buyer
// to the payment page, and delivers the badges.
//   EVENT_API_KEY=sk_… EVENT_ID=evt_… node examples/ticket-shop.ts
import { randomUUID } from 'node:crypto';
import {
  confirmOrder,
  createClient,
  createRegistration,
  EventApiError,
  getEvent,
  getOrder,
  getRegistration,
  getRegistrationBadge,
  listAll,
  listTicketTypes,
  placeOrder,
  type Registration,
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
  APPROVAL_REQUIRED: 'These tickets need an approval now. Go back and apply.',
  TOO_MANY_HOLDS: 'You have other orders that are not paid yet. Pay one of them first.',
  TOO_MANY_SEATS: 'This is more than one person may buy.',
  BELOW_ORDER_MINIMUM: 'These tickets are sold together. Choose more of them.',
  ABOVE_ORDER_MAXIMUM: 'This is more than one order may have.',
  CODE_INVALID: 'This code is not valid.',
};

const explain = ({ field, reason }: EventApiError): string | undefined =>
  field === 'email' ? 'This is not an email address.' : explanations[reason ?? ''];

/** What someone has who does not get a new ticket. */
const titles: Record<Registration['status'], string> = {
  confirmed: 'You have a ticket',
  pending: 'We have received your application',
  waitlisted: 'You are on the waitlist',
  rejected: 'Your application was rejected',
  cancelled: 'Your registration is cancelled',
};

app.get('/', async (_request, reply) => {
  const event = await getEvent({ client, path });
  const price = new Intl.NumberFormat('en', { style: 'currency', currency: event.currency });
  const minorUnits = 10 ** (price.resolvedOptions().maximumFractionDigits ?? 2);
  const offers = [];
  for await (const type of listAll(listTicketTypes, { client, path, query: { status: 'open' } })) {
    if (!type.isPublic) continue;
    const cost = type.priceAmount === 0 ? 'free' : price.format(type.priceAmount / minorUnits);
    const offer = type.availability.remaining === 0 ? 'sold out' : cost;
    offers.push(html`<form method="post" action="${type.requiresApproval ? '/applications' : '/orders'}">
      <h2>${type.name}, ${offer}</h2>
      <p>${type.description}</p>
      <input type="hidden" name="typeId" value="${type.id}">
      <input type="hidden" name="attempt" value="${randomUUID()}">
      <label>Email <input name="email" type="email" required autocomplete="email"></label>
      <button>${type.requiresApproval ? 'Apply' : 'Buy'}</button>
    </form>`);
  }
  return sendPage(reply, event.name, html`${offers}`);
});

interface Form {
  typeId: string;
  email: string;
  attempt: string;
}

app.post<{ Body: Form }>('/orders', ({ body: form, host }, reply) => order(reply, form, host));

/** Someone applies first, and buys once the seat is offered. Without a price, approval is enough. */
app.post<{ Body: Form }>('/applications', async ({ body: form, host }, reply) => {
  const body = { email: form.email, registrationTypeId: form.typeId };
  // A second click finds the application.
  const { registration } = await createRegistration({ client, path, body });
  if (registration.offerExpiresAt !== null) return order(reply, form, host);
  return sendPage(reply, titles[registration.status], ticketsOf([registration]));
});

async function order(reply: FastifyReply, form: Form, host: string): Promise<FastifyReply> {
  const items = [{ itemType: 'ticket_type' as const, itemId: form.typeId }];
  // A second click on the button repeats the request, and the key makes it the same order.
  const headers = { 'Idempotency-Key': form.attempt };
  const placed = await placeOrder({ client, path, headers, body: { email: form.email, items } });
  if (!('orderNumber' in placed)) {
    const title = titles[placed.registrationStatus];
    return sendPage(reply, title, html`<p>${form.email} is already registered.</p>`);
  }
  const { orderNumber } = placed;
  const shop = `http://${host}`;
  const urls = { successUrl: `${shop}/thanks?order={ORDER_NUMBER}`, cancelUrl: `${shop}/` };
  const confirmed = await confirmOrder({ client, path: { ...path, orderNumber }, body: urls });
  return reply.redirect(confirmed.paymentUrl ?? `/thanks?order=${orderNumber}`, 303);
}

app.get<{ Querystring: { order?: string } }>('/thanks', async ({ query }, reply) => {
  const order = await getOrder({ client, path: { ...path, orderId: query.order ?? '' } });
  // The payment provider reports a payment a moment after the buyer returns.
  const isOpen = order.status === 'held' || order.status === 'awaiting_payment';
  const again = isOpen ? html`<meta http-equiv="refresh" content="1">` : null;
  const number = html`<p>Order ${order.orderNumber}</p>`;
  if (order.status !== 'paid') {
    return sendPage(reply, `Your order is ${order.status}`, number, again);
  }
  const tickets = await Promise.all(
    order.registrationIds.map((id) => getRegistration({ client, path: { ...path, id } })),
  );
  // A paid order without a price can have applications: no door accepts them yet.
  const waiting = tickets.find(({ status }) => status !== 'confirmed');
  const title = waiting ? titles[waiting.status] : 'Thank you';
  return sendPage(reply, title, html`${number}${ticketsOf(tickets)}`);
});

const ticketsOf = (tickets: Registration[]) =>
  html`<ul>${tickets.map(({ id, email, status }) =>
    status === 'confirmed'
      ? html`<li><a href="/badges/${id}">Badge of ${email}</a></li>`
      : html`<li>${email}: ${status}</li>`,
  )}</ul>`;

/** The badge with its QR code, drawn by the API. Its address contains an id that nobody guesses. */
app.get<{ Params: { id: string } }>('/badges/:id', async ({ params }, reply) => {
  const query = { format: 'pdf' as const };
  const badge = await getRegistrationBadge({ client, path: { ...path, id: params.id }, query });
  return reply.type(badge.type).send(Buffer.from(await badge.arrayBuffer()));
});

app.setErrorHandler((error, _request, reply) => {
  const explanation = error instanceof EventApiError ? explain(error) : undefined;
  if (explanation) {
    reply.code(422);
    return sendPage(reply, 'Not ordered', html`<p>${explanation}</p><p><a href="/">Back</a></p>`);
  }
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
