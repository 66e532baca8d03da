// A page on which people register for an event without tickets to pay, or join its waitlist.
//   EVENT_API_KEY=sk_… EVENT_ID=evt_… TICKET_TYPE_ID=tt_… node examples/waitlist.ts
import {
  cancelRegistration,
  createClient,
  createRegistration,
  EventApiError,
  getAvailability,
  getRegistration,
  getTicketType,
} from '@event-api/client';
import { createPages, html, listen, sendPage } from './pages.ts';
import { api, setting } from './settings.ts';

const client = createClient(api());
const path = { eventId: setting('EVENT_ID') };
const typePath = { ...path, typeId: setting('TICKET_TYPE_ID') };
const app = createPages();

app.get('/', async (_request, reply) => {
  const [type, { remaining, waitlisted }] = await Promise.all([
    getTicketType({ client, path: typePath }),
    getAvailability({ client, path: typePath }),
  ]);
  const isFull = remaining === 0;
  const places = remaining === null ? 'Everyone gets a place.' : `${remaining} places are left.`;
  return sendPage(
    reply,
    type.name,
    html`<p>${isFull ? `All places are taken. ${waitlisted} people are waiting.` : places}</p>
    <form method="post" action="/join">
      <label>Name <input name="name" required autocomplete="name"></label>
      <label>Email <input name="email" type="email" required autocomplete="email"></label>
      <button>${isFull ? 'Join the waitlist' : 'Register'}</button>
    </form>`,
  );
});

app.post<{ Body: { email: string; name: string } }>('/join', async ({ body }, reply) => {
  const { email, name } = body;
  try {
    const { registration, created } = await createRegistration({
      ...{ client, path },
      body: { email, name, registrationTypeId: typePath.typeId },
    });
    // The link to a place is secret. Only the person who registers gets it, not everyone who knows
    // the email.
    if (created) return reply.redirect(`/places/${registration.id}`, 303);
    return sendPage(reply, 'You have registered before', html`<p>Use the link to your place.</p>`);
  } catch (error) {
    if (!(error instanceof EventApiError)) throw error;
    const isFull = error.reason === 'SOLD_OUT';
    if (!isFull && error.field !== 'email') throw error;
    reply.code(422);
    const text = isFull
      ? 'All places are taken, and there is no waitlist.'
      : 'This is not an email.';
    return sendPage(reply, 'Not registered', html`<p>${text}</p>`);
  }
});

const meanings: Record<string, string> = {
  confirmed: 'You have a place.',
  waitlisted: 'You are on the waitlist. The next free place goes to the first person on it.',
  pending: 'The organizer decides about your application.',
  cancelled: 'You have given up your place.',
  rejected: 'The organizer has rejected your application.',
};

app.get<{ Params: { id: string } }>('/places/:id', async ({ params }, reply) => {
  const { id, status } = await getRegistration({ client, path: { ...path, ...params } });
  const isOver = status === 'cancelled' || status === 'rejected';
  const giveUp = html`<form method="post" action="/places/${id}/cancel"><button>Give up</button></form>`;
  return sendPage(reply, status, html`<p>${meanings[status] ?? ''}</p>${isOver ? null : giveUp}`);
});

app.post<{ Params: { id: string } }>('/places/:id/cancel', async ({ params }, reply) => {
  await cancelRegistration({ client, path: { ...path, ...params } });
  return reply.redirect(`/places/${params.id}`, 303);
});

await listen(app);
