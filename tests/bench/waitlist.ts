import type { BenchEnvironment } from './environment.ts';
import { type SendRequest, sale, startBuyers } from './sale.ts';

const seats = 100;
const waiting = 1000;
const clients = 16;
const urls = {
  successUrl: 'https://tickets.example.com/thanks',
  cancelUrl: 'https://tickets.example.com/basket',
};

/** Figures of a waitlist of 1,000 for the 100 seats of a ticket type with a price. */
export interface WaitlistFigures {
  /** From the request that releases a seat to the first read that shows its offer. */
  offerP50Ms: number;
  offerP99Ms: number;
  /** From the release of the first seat to the last paid order. */
  drainSeconds: number;
  /** Registrations of another event per second meanwhile. */
  loadPerSecond: number;
}

/**
 * Releases 100 seats one after the other while 16 clients register for another event. Each offer is
 * ordered and paid at once. Errors: an offer that is not for the oldest waitlisted registration, or
 * a registration that is confirmed without its paid order.
 */
export async function benchWaitlist(environment: BenchEnvironment): Promise<WaitlistFigures> {
  const send = await startBuyers(environment);
  const hot = await sale(send, seats, { priceAmount: 2500, allowWaitlist: true });
  const people: Person[] = [];
  for (let n = 0; n < seats + waiting; n++) people.push(await register(send, hot, `w${n}`));
  environment.progress.say(`${waiting} registrations wait for ${seats} seats`);
  const other = await sale(send, 1_000_000);
  let isDraining = true;
  let loaded = 0;
  const begun = performance.now();
  const client = async () => {
    while (isDraining) {
      loaded += 1;
      await register(send, other, `load${loaded}`);
    }
  };
  const load = Promise.all(Array.from({ length: clients }, client));
  const offerMs: number[] = [];
  const payments: Promise<void>[] = [];
  for (let n = 0; n < seats; n++) {
    const next = people[seats + n];
    if (!next) throw new Error('no registration waits');
    offerMs.push(await releaseSeat(send, hot.path, people[n]?.id ?? '', next));
    payments.push(buy(send, hot.path, next, hot.typeId));
  }
  await Promise.all(payments);
  isDraining = false;
  await load;
  const seconds = (performance.now() - begun) / 1000;
  await expectDrained(send, hot);
  const sorted = offerMs.toSorted((a, b) => a - b);
  return {
    offerP50Ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
    offerP99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    drainSeconds: seconds,
    loadPerSecond: loaded / seconds,
  };
}

export const describeWaitlist = (f: WaitlistFigures): string =>
  [
    `${seats} seats offered to ${waiting} waitlisted registrations in their order, paid in ${f.drainSeconds.toFixed(1)} s`,
    `release to visible offer p50 ${f.offerP50Ms.toFixed(1)} ms, p99 ${f.offerP99Ms.toFixed(1)} ms`,
    `another event meanwhile: ${f.loadPerSecond.toFixed(0)} registrations/s`,
  ].join('\n');

interface Person {
  id: string;
  email: string;
}

async function register(
  send: SendRequest,
  { path, typeId }: { path: string; typeId: string },
  name: string,
): Promise<Person> {
  const email = `${name}@example.com`;
  const body = { email, registrationTypeId: typeId };
  const response = await send('POST', `${path}/registrations`, body);
  if (response.status !== 201) throw new Error(`registering responded with ${response.status}`);
  return { id: response.body.registration.id, email };
}

/** Cancels a registration. Returns the milliseconds until the next one shows its offer. */
async function releaseSeat(
  send: SendRequest,
  path: string,
  id: string,
  next: Person,
): Promise<number> {
  const begun = performance.now();
  await send('POST', `${path}/registrations/${id}/cancel`);
  while (performance.now() - begun < 30_000) {
    const { body } = await send('GET', `${path}/registrations/${next.id}`);
    if (body.offerExpiresAt !== null) return performance.now() - begun;
  }
  throw new Error('the oldest waitlisted registration got no offer');
}

/** Orders the offered seat and pays. Errors: the order confirms another registration. */
async function buy(
  send: SendRequest,
  path: string,
  { id, email }: Person,
  typeId: string,
): Promise<void> {
  const items = [{ itemType: 'registration_type', itemId: typeId }];
  const placed = await send('POST', `${path}/orders`, { email, items });
  const order = `${path}/orders/${placed.body.id}`;
  const confirmed = await send('POST', `${order}/confirm`, urls);
  await (await fetch(`${confirmed.body.paymentUrl}/pay`, { method: 'POST' })).body?.cancel();
  for (let n = 0; n < 3000; n++) {
    const { body } = await send('GET', order);
    if (body.status !== 'paid') continue;
    if (body.registrationIds[0] === id) return;
    throw new Error('the order confirmed another registration');
  }
  throw new Error('the order was not paid');
}

async function expectDrained(send: SendRequest, { typePath }: { typePath: string }): Promise<void> {
  const { body } = await send('GET', `${typePath}/availability`);
  const { confirmed, waitlisted, held } = body;
  if (confirmed === seats && waitlisted === waiting - seats && held === 0) return;
  throw new Error(`the waitlist did not drain: ${JSON.stringify(body)}`);
}
