import { setTimeout as pass } from 'node:timers/promises';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import { openEvent } from './fixtures/bus.ts';
import { pay, someEmail, urls } from './fixtures/checkout.ts';

/** An answer, or the lack of one, that the contract has no place for. */
export interface Fault {
  request: string;
  /** The status, or what became of the connection. */
  got: string;
  atMs: number;
}

/** What was acknowledged, and so has to be there afterwards. */
export interface Acknowledged {
  registrations: string[];
  cancelled: string[];
  paid: string[];
  checkins: string[];
}

/** An event under load; each has a key of its own. */
export interface LoadedEvent {
  call: HttpClient;
  path: string;
  acknowledged: Acknowledged;
}

export interface BackgroundLoad {
  events: LoadedEvent[];
  faults: Fault[];
  responseCount: () => number;
  /** Lets everyone finish what they are at. */
  stop(): Promise<void>;
}

type SendRequest = (
  method: string,
  path: string,
  status: number,
  body?: unknown,
) => Promise<TestResponse['body'] | null>;

/** What one client does in one turn: everything that an integrator asks all day. */
async function turn(send: SendRequest, sale: Sale, done: Acknowledged, before: Badge | null) {
  const { path, typeId, pricedId } = sale;
  await send('GET', path, 200);
  await send('GET', `${path}/ticket-types`, 200);
  const person = { email: someEmail(), registrationTypeId: typeId };
  const registered = await send('POST', `${path}/registrations`, 201, person);
  if (registered) done.registrations.push(registered.registration.id);
  if (before) await visit(send, path, before, done);
  const free = { email: someEmail(), items: [ticket(typeId)] };
  const order = await send('POST', `${path}/orders`, 201, free);
  if (order && (await send('POST', `${path}/orders/${order.id}/confirm`, 200, {}))) {
    done.paid.push(order.id);
  }
  await send('GET', `${path}/ticket-types/${typeId}/availability`, 200);
  const priced = { email: someEmail(), items: [ticket(pricedId)] };
  const second = await send('POST', `${path}/orders`, 201, priced);
  const page = second && (await send('POST', `${path}/orders/${second.id}/confirm`, 200, urls));
  if (page && (await pay(page.paymentUrl)) < 400) done.paid.push(second.id);
  for (const list of ['orders', 'checkins', 'attendees', 'sessions']) {
    await send('GET', `${path}/${list}?limit=10`, 200);
  }
  return (registered?.registration as Badge | undefined) ?? null;
}

/** Somebody who has registered a while ago comes to the door, and is cancelled later. */
async function visit(
  send: SendRequest,
  path: string,
  { id, checkinCode }: Badge,
  done: Acknowledged,
) {
  await send('GET', `${path}/registrations/${id}`, 200);
  const scan = { checkinCode, subjectType: 'event' };
  const scanned = await send('POST', `${path}/checkins`, 201, scan);
  if (scanned) done.checkins.push(scanned.checkin.id);
  if (await send('POST', `${path}/registrations/${id}/cancel`, 200)) done.cancelled.push(id);
}

const ticket = (itemId: string) => ({ itemType: 'registration_type', itemId });

interface Badge {
  id: string;
  checkinCode: string;
}

interface Sale {
  path: string;
  typeId: string;
  pricedId: string;
}

async function openSale(call: HttpClient): Promise<Sale> {
  const { path, typeId } = await openEvent(call);
  const types = `${path}/ticket-types`;
  const priced = await call('POST', types, { body: { name: 'Supporter', priceAmount: 2500 } });
  const pricedId = priced.body.id;
  await call('PATCH', `${types}/${pricedId}`, { body: { status: 'open' } });
  return { path, typeId, pricedId };
}

/** Asks as each of these clients, again and again with `pauseMs` between two requests, until it is told to stop. */
export async function startLoad(clients: HttpClient[], pauseMs: number): Promise<BackgroundLoad> {
  const begun = performance.now();
  const faults: Fault[] = [];
  let [responseCount, stopped] = [0, false];
  const senderFor =
    (call: HttpClient): SendRequest =>
    async (method, path, status, body) => {
      const note = (got: string): null => {
        faults.push({ request: `${method} ${path}`, got, atMs: performance.now() - begun });
        return null;
      };
      try {
        const response = await call(method, path, body === undefined ? {} : { body });
        responseCount += 1;
        await pass(pauseMs);
        if (response.status === status) return response.body;
        return note(`${response.status} ${JSON.stringify(response.body)}`);
      } catch (error) {
        return note(String((error as Error).cause ?? error));
      }
    };
  const events = await Promise.all(
    clients.map(async (call) => {
      const acknowledged = { registrations: [], cancelled: [], paid: [], checkins: [] };
      return { call, ...(await openSale(call)), acknowledged };
    }),
  );
  const running = events.map(async ({ call, acknowledged, ...sale }) => {
    let badge: Badge | null = null;
    while (!stopped) badge = await turn(senderFor(call), sale, acknowledged, badge);
  });
  return {
    events,
    faults,
    responseCount: () => responseCount,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
