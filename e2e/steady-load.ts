import { setTimeout as pass } from 'node:timers/promises';
import type { Answer, Client } from '@event-api/platform/testing/http';
import { openEvent } from './given-bus.ts';
import { pay, someEmail, urls } from './given-checkout.ts';

/** An answer, or the lack of one, that the contract has no place for. */
export interface Fault {
  asked: string;
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
  call: Client;
  path: string;
  acknowledged: Acknowledged;
}

export interface SteadyLoad {
  events: LoadedEvent[];
  faults: Fault[];
  answers: () => number;
  /** Lets everyone finish what they are at. */
  stop(): Promise<void>;
}

type Ask = (
  method: string,
  path: string,
  status: number,
  body?: unknown,
) => Promise<Answer['body'] | null>;

/** What one client does in one turn: everything that an integrator asks all day. */
async function turn(ask: Ask, sale: Sale, done: Acknowledged, before: Badge | null) {
  const { path, typeId, pricedId } = sale;
  await ask('GET', path, 200);
  await ask('GET', `${path}/ticket-types`, 200);
  const person = { email: someEmail(), registrationTypeId: typeId };
  const made = await ask('POST', `${path}/registrations`, 201, person);
  if (made) done.registrations.push(made.registration.id);
  if (before) await visit(ask, path, before, done);
  const free = { email: someEmail(), items: [ticket(typeId)] };
  const order = await ask('POST', `${path}/orders`, 201, free);
  if (order && (await ask('POST', `${path}/orders/${order.id}/confirm`, 200, {}))) {
    done.paid.push(order.id);
  }
  await ask('GET', `${path}/ticket-types/${typeId}/availability`, 200);
  const priced = { email: someEmail(), items: [ticket(pricedId)] };
  const second = await ask('POST', `${path}/orders`, 201, priced);
  const page = second && (await ask('POST', `${path}/orders/${second.id}/confirm`, 200, urls));
  if (page && (await pay(page.paymentUrl)) < 400) done.paid.push(second.id);
  for (const list of ['orders', 'checkins', 'attendees', 'sessions']) {
    await ask('GET', `${path}/${list}?limit=10`, 200);
  }
  return (made?.registration as Badge | undefined) ?? null;
}

/** Somebody who has registered a while ago comes to the door, and is cancelled later. */
async function visit(ask: Ask, path: string, { id, checkinCode }: Badge, done: Acknowledged) {
  await ask('GET', `${path}/registrations/${id}`, 200);
  const scan = { checkinCode, subjectType: 'event' };
  const scanned = await ask('POST', `${path}/checkins`, 201, scan);
  if (scanned) done.checkins.push(scanned.checkin.id);
  if (await ask('POST', `${path}/registrations/${id}/cancel`, 200)) done.cancelled.push(id);
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

async function openSale(call: Client): Promise<Sale> {
  const { path, typeId } = await openEvent(call);
  const types = `${path}/ticket-types`;
  const priced = await call('POST', types, { body: { name: 'Supporter', priceAmount: 2500 } });
  const pricedId = priced.body.id;
  await call('PATCH', `${types}/${pricedId}`, { body: { status: 'open' } });
  return { path, typeId, pricedId };
}

/** Asks as each of these clients, again and again with `pauseMs` between two requests, until it is told to stop. */
export async function startLoad(clients: Client[], pauseMs: number): Promise<SteadyLoad> {
  const begun = performance.now();
  const faults: Fault[] = [];
  let [answers, stopped] = [0, false];
  const asking =
    (call: Client): Ask =>
    async (method, path, status, body) => {
      const note = (got: string): null => {
        faults.push({ asked: `${method} ${path}`, got, atMs: performance.now() - begun });
        return null;
      };
      try {
        const answer = await call(method, path, body === undefined ? {} : { body });
        answers += 1;
        await pass(pauseMs);
        if (answer.status === status) return answer.body;
        return note(`${answer.status} ${JSON.stringify(answer.body)}`);
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
    while (!stopped) badge = await turn(asking(call), sale, acknowledged, badge);
  });
  return {
    events,
    faults,
    answers: () => answers,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
