import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import type { Answer, Client } from '@event-api/platform/testing/http';
import { openEvent } from './given-bus.ts';
import { pay, urls } from './given-checkout.ts';

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
async function turn(ask: Ask, sale: Sale, done: Acknowledged): Promise<void> {
  const { path, typeId, pricedId } = sale;
  const [itemType, email] = ['registration_type', () => `${randomUUID()}@example.com`];
  await ask('GET', path, 200);
  await ask('GET', `${path}/ticket-types`, 200);
  const made = await ask('POST', `${path}/registrations`, 201, {
    email: email(),
    registrationTypeId: typeId,
  });
  if (made) {
    const { id, checkinCode } = made.registration;
    done.registrations.push(id);
    await ask('GET', `${path}/registrations/${id}`, 200);
    const scan = { checkinCode, subjectType: 'event' };
    const scanned = await ask('POST', `${path}/checkins`, 201, scan);
    if (scanned) done.checkins.push(scanned.checkin.id);
    if (await ask('POST', `${path}/registrations/${id}/cancel`, 200)) done.cancelled.push(id);
  }
  const items = [{ itemType, itemId: typeId }];
  const free = await ask('POST', `${path}/orders`, 201, { email: email(), items });
  if (free && (await ask('POST', `${path}/orders/${free.id}/confirm`, 200, {}))) {
    done.paid.push(free.id);
  }
  await ask('GET', `${path}/ticket-types/${typeId}/availability`, 200);
  const priced = { email: email(), items: [{ itemType, itemId: pricedId }] };
  const order = await ask('POST', `${path}/orders`, 201, priced);
  const page = order && (await ask('POST', `${path}/orders/${order.id}/confirm`, 200, urls));
  if (page) {
    await pay(page.paymentUrl);
    done.paid.push(order.id);
  }
  for (const list of ['orders', 'checkins', 'attendees', 'sessions']) {
    await ask('GET', `${path}/${list}?limit=10`, 200);
  }
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
    while (!stopped) await turn(asking(call), sale, acknowledged);
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
