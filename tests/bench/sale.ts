import { createKey } from '@event-api/contracts/operator/keys';
import { createUnit } from '@event-api/contracts/operator/units';
import { Pool } from 'undici';
import type { BenchEnvironment } from './environment.ts';

export const buyers = 64;

/** Sends a request to the gateway with the key of a separate business unit. */
export type SendRequest = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: Body }>;
// biome-ignore lint/suspicious/noExplicitAny: the tests read response bodies without a schema.
type Body = any;

/** Creates a business unit with a key, which has practically no rate limit. */
export async function createSeller({
  operator,
}: BenchEnvironment): Promise<{ unitId: string; secret: string }> {
  const unit = await operator.call(createUnit, { name: 'Bench' });
  const key = await operator.call(createKey, {
    businessUnitId: unit.id,
    name: 'Bench',
    rateLimitPerMinute: 10_000_000,
  });
  return { unitId: unit.id, secret: key.secret };
}

/** Returns the client of a business unit, by default a new one. */
export async function startBuyers(
  environment: BenchEnvironment,
  secret?: string,
): Promise<SendRequest> {
  const { platform, onEnd } = environment;
  const authorization = `Bearer ${secret ?? (await createSeller(environment)).secret}`;
  const pool = new Pool(platform.apiUrls.gateway ?? '', { connections: buyers });
  onEnd(() => void pool.close());
  return async (method, path, body) => {
    const response = await pool.request({
      method: method as 'POST',
      path,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.statusCode, body: await response.body.json() };
  };
}

/** A ticket type on sale, with the number of orders confirmed for it. */
export interface Sale {
  path: string;
  typePath: string;
  typeId: string;
  sold: number;
}

/** Returns the body of a response. Errors: a rejected request. */
export async function expectSuccess(
  send: SendRequest,
  ...[method, path, body]: Parameters<SendRequest>
): Promise<Body> {
  const response = await send(method, path, body);
  if (response.status >= 300)
    throw new Error(`${method} ${path} responded with ${response.status}`);
  return response.body;
}

/** Creates an event with one open ticket type. Errors: a rejected request. */
export async function sale(
  send: SendRequest,
  capacity: number,
  fields: { priceAmount?: number; allowWaitlist?: boolean } = {},
): Promise<Sale> {
  const event = await expectSuccess(send, 'POST', '/v1/events', { name: 'Bench', timezone: 'UTC' });
  const path = `/v1/events/${event.id}`;
  const type = await expectSuccess(send, 'POST', `${path}/ticket-types`, {
    name: 'Hot',
    capacity,
    ...fields,
  });
  const typePath = `${path}/ticket-types/${type.id}`;
  await expectSuccess(send, 'PATCH', typePath, { status: 'open' });
  return { path, typePath, typeId: type.id, sold: 0 };
}

let count = 0;

/**
 * Places and confirms one order. Returns the duration of each step in milliseconds, or null if no
 * seat is left.
 */
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
  if (placed.status !== 201) throw new Error(`placing the order responded with ${placed.status}`);
  const between = performance.now();
  const confirmed = await send('POST', `${hot.path}/orders/${placed.body.id}/confirm`, {});
  if (confirmed.body.status !== 'paid')
    throw new Error(`confirming the order responded with ${confirmed.status}`);
  hot.sold += 1;
  return { place: between - begun, confirm: performance.now() - between };
}

/** Lets each client repeat `work` for this time. Returns the number of completed calls. */
export async function runFor(
  ms: number,
  work: () => Promise<unknown>,
  clients = buyers,
): Promise<number> {
  const end = performance.now() + ms;
  let done = 0;
  const buyer = async () => {
    while (performance.now() < end) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, buyer));
  return done;
}

/** Errors: availability differs from the number of confirmed orders. */
export async function expectSold(send: SendRequest, { typePath, sold }: Sale): Promise<void> {
  const { body } = await send('GET', `${typePath}/availability`);
  if (body.confirmed !== sold || body.held !== 0) {
    throw new Error(`${sold} orders were confirmed, but availability is ${JSON.stringify(body)}`);
  }
}
