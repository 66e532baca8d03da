import { createKey } from '@event-api/contracts/operator/keys';
import { createUnit } from '@event-api/contracts/operator/units';
import { Pool } from 'undici';
import type { BenchEnvironment } from './environment.ts';

export const buyers = 64;

/** Asks the gateway with the key of a unit of its own. */
export type SendRequest = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: Body }>;
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into, whatever their shape.
type Body = any;

/** Buyers of a business unit of their own, whose key has no limit worth mentioning. */
export async function startBuyers({
  platform,
  operator,
  onEnd,
}: BenchEnvironment): Promise<SendRequest> {
  const unit = await operator.call(createUnit, { name: 'Bench' });
  const { secret } = await operator.call(createKey, {
    businessUnitId: unit.id,
    name: 'Bench',
    rateLimitPerMinute: 10_000_000,
  });
  const pool = new Pool(platform.apiUrls.gateway ?? '', { connections: buyers });
  onEnd(() => void pool.close());
  return async (method, path, body) => {
    const response = await pool.request({
      method: method as 'POST',
      path,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.statusCode, body: await response.body.json() };
  };
}

/** A ticket type on sale, and how many orders of it were confirmed. */
export interface Sale {
  path: string;
  typePath: string;
  typeId: string;
  sold: number;
}

/** Errors: when the event or the type is refused. */
export async function sale(send: SendRequest, capacity: number): Promise<Sale> {
  const expectSuccess = async (method: string, path: string, body: unknown): Promise<Body> => {
    const response = await send(method, path, body);
    if (response.status >= 300) throw new Error(`${method} ${path} answered ${response.status}`);
    return response.body;
  };
  const event = await expectSuccess('POST', '/v1/events', { name: 'Bench', timezone: 'UTC' });
  const path = `/v1/events/${event.id}`;
  const type = await expectSuccess('POST', `${path}/ticket-types`, { name: 'Hot', capacity });
  const typePath = `${path}/ticket-types/${type.id}`;
  await expectSuccess('PATCH', typePath, { status: 'open' });
  return { path, typePath, typeId: type.id, sold: 0 };
}

let count = 0;

/** One buyer's order; how long each step took, or null where nothing was left. */
export async function order(
  send: SendRequest,
  hot: Sale,
): Promise<{ place: number; confirm: number } | null> {
  count += 1;
  const items = [{ itemType: 'registration_type', itemId: hot.typeId }];
  const begun = performance.now();
  const placed = await send('POST', `${hot.path}/orders`, {
    email: `b${count}@example.com`,
    items,
  });
  if (placed.status === 412) return null;
  if (placed.status !== 201) throw new Error(`placing answered ${placed.status}`);
  const between = performance.now();
  const confirmed = await send('POST', `${hot.path}/orders/${placed.body.id}/confirm`, {});
  if (confirmed.body.status !== 'paid') throw new Error(`confirming answered ${confirmed.status}`);
  hot.sold += 1;
  return { place: between - begun, confirm: performance.now() - between };
}

/** Has all buyers work for so long; answers how often they did. */
export async function runFor(ms: number, work: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + ms;
  let done = 0;
  const buyer = async () => {
    while (performance.now() < end) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: buyers }, buyer));
  return done;
}

/** Errors: when availability tells of other sales than those that were made. */
export async function expectSold(send: SendRequest, { typePath, sold }: Sale): Promise<void> {
  const { body } = await send('GET', `${typePath}/availability`);
  if (body.confirmed !== sold || body.held !== 0) {
    throw new Error(`${sold} were sold, and availability says ${JSON.stringify(body)}`);
  }
}
