import { setTimeout as pass } from 'node:timers/promises';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import { openEvent } from './fixtures/bus.ts';
import { pay, randomEmail, urls } from './fixtures/checkout.ts';

/** An unexpected response, or a missing one. */
export interface Fault {
  request: string;
  /** The status and body, or the connection error. */
  got: string;
  atMs: number;
}

/** Records that the platform acknowledged and that must exist afterwards. */
export interface Acknowledged {
  registrations: string[];
  cancelled: string[];
  paid: string[];
  checkins: string[];
}

/** An event under load. Each has its own API key. */
export interface LoadedEvent {
  call: HttpClient;
  path: string;
  acknowledged: Acknowledged;
}

export interface BackgroundLoad {
  events: LoadedEvent[];
  faults: Fault[];
  responseCount: () => number;
  /** Stops after the current round of each client. */
  stop(): Promise<void>;
}

/** Onsite reads changes within seconds, also while all processes restart. */
const repeatForMs = 10_000;

type SendRequest = (
  method: string,
  path: string,
  status: number,
  body?: unknown,
  /** The request is repeated for a few seconds while it gets this status. */
  options?: { repeatOn?: number },
) => Promise<TestResponse['body'] | null>;

/** Sends one round of typical requests of an integrator. Returns the new registration. */
async function turn(send: SendRequest, sale: Sale, done: Acknowledged, before: Badge | null) {
  const { path, typeId, pricedId } = sale;
  await send('GET', path, 200);
  await send('GET', `${path}/ticket-types`, 200);
  const person = { email: randomEmail(), registrationTypeId: typeId };
  const registered = await send('POST', `${path}/registrations`, 201, person);
  if (registered) done.registrations.push(registered.registration.id);
  if (before) await visit(send, path, before, done);
  const free = { email: randomEmail(), items: [ticket(typeId)] };
  const order = await send('POST', `${path}/orders`, 201, free);
  if (order && (await send('POST', `${path}/orders/${order.id}/confirm`, 200, {}))) {
    done.paid.push(order.id);
  }
  await send('GET', `${path}/ticket-types/${typeId}/availability`, 200);
  const priced = { email: randomEmail(), items: [ticket(pricedId)] };
  const second = await send('POST', `${path}/orders`, 201, priced);
  const page = second && (await send('POST', `${path}/orders/${second.id}/confirm`, 200, urls));
  if (page && (await pay(page.paymentUrl)) < 400) done.paid.push(second.id);
  for (const list of ['orders', 'checkins', 'attendees', 'sessions']) {
    await send('GET', `${path}/${list}?limit=10`, 200);
  }
  return (registered?.registration as Badge | undefined) ?? null;
}

/**
 * Checks in the registration of the previous round, then cancels it. Onsite may not know the badge
 * yet while registration does not respond within the timeout of a door; staff then scan it again.
 */
async function visit(
  send: SendRequest,
  path: string,
  { id, checkinCode }: Badge,
  done: Acknowledged,
) {
  await send('GET', `${path}/registrations/${id}`, 200);
  const scan = { checkinCode, subjectType: 'event' };
  const scanned = await send('POST', `${path}/checkins`, 201, scan, { repeatOn: 404 });
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

/**
 * Sends requests with each client until `stop` is called, with `pauseMs` between two requests of a
 * client.
 */
export async function startLoad(clients: HttpClient[], pauseMs: number): Promise<BackgroundLoad> {
  const begun = performance.now();
  const faults: Fault[] = [];
  let [responseCount, stopped] = [0, false];
  const senderFor =
    (call: HttpClient): SendRequest =>
    async (method, path, status, body, { repeatOn } = {}) => {
      const note = (got: string): null => {
        faults.push({ request: `${method} ${path}`, got, atMs: performance.now() - begun });
        return null;
      };
      const repeatUntil = performance.now() + repeatForMs;
      try {
        let response: TestResponse;
        do {
          response = await call(method, path, body === undefined ? {} : { body });
          responseCount += 1;
          await pass(pauseMs);
        } while (response.status === repeatOn && performance.now() < repeatUntil);
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
