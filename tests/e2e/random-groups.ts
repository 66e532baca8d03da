import { randomUUID } from 'node:crypto';
import type { OrderQuote } from '@event-api/contracts/http/order-changes';
import { eventually } from '@event-api/platform/testing/eventually';
import type { TestResponse } from '@event-api/platform/testing/http-client';
import type { SeededRandom } from '@event-api/platform/testing/random';
import { type Body, pay, type SaleFixture, urls } from './fixtures/checkout.ts';
import { untilDefinite } from './random-kills.ts';

/** A sale of one ticket type, and the others that its seats can get. */
export interface GroupShop extends SaleFixture {
  otherTypes: readonly Body[];
}

/** What the platform has acknowledged about an order of a group. */
export interface Group {
  shop: GroupShop;
  orderId: string;
  /** The email of everyone who got an open seat, by the id of the seat. There must be one. */
  holders: Map<string, Set<string>>;
  /** The quotes that were executed, as the executions have returned them. */
  executed: Map<string, OrderQuote>;
  /** Quotes whose execution was refused. */
  refused: OrderQuote[];
  /** Executions that returned another quote than the one that was made. */
  altered: OrderQuote[];
}

const stranger = () => `${randomUUID()}@example.com`;

/** Places an order with open seats and pays it. Null if it was refused or not paid. */
export async function sellGroup(shop: GroupShop, random: SeededRandom): Promise<Group | null> {
  const quantity = 2 + random.below(3);
  const attendees = Array.from({ length: random.below(quantity) }, () => ({ email: stranger() }));
  const order = {
    ...{ items: [shop.ofType({ quantity, attendees })], assignLater: true },
    redemptionCode: random.pick([null, null, 'HALF', 'GIFT']),
  };
  const placed = await untilDefinite(() => shop.place(order));
  if (placed.status !== 201) return null;
  const { id: orderId } = placed.body;
  const confirmed = await untilDefinite(() => shop.confirm(orderId, urls));
  if (confirmed.status !== 200) return null;
  const { paymentUrl } = confirmed.body;
  if (paymentUrl && random.chance(0.9)) await pay(paymentUrl, random.pick(['', '?notify=twice']));
  const isPaid = await eventually(async () => {
    const { status } = (await untilDefinite(() => readOrder(shop, orderId))).body;
    if (status === 'held' || status === 'awaiting_payment') throw new Error(status);
    return status === 'paid';
  });
  if (!isPaid) return null;
  return { shop, orderId, holders: new Map(), executed: new Map(), refused: [], altered: [] };
}

const readOrder = ({ call, path }: SaleFixture, orderId: string): Promise<TestResponse> =>
  call('GET', `${path}/orders/${orderId}`);

/** Acts on the order a few times, in ways that race with each other. */
export async function actOnGroup(group: Group, random: SeededRandom): Promise<void> {
  const acts = [assignOne, assignOne, claimOne, change, change];
  const rounds = 2 + random.below(4);
  for (let round = 0; round < rounds; round++) {
    const now = Array.from({ length: 1 + random.below(2) }, () => random.pick(acts));
    await Promise.all(now.map((act) => act(group, random)));
  }
}

const readSeats = async ({ shop, orderId }: Group, ...statuses: string[]): Promise<Body[]> => {
  const { seats } = (await untilDefinite(() => readOrder(shop, orderId))).body;
  return seats.filter(({ status }: Body) => statuses.includes(status));
};

/** One or two persons want an open seat. */
async function offerSeat(
  group: Group,
  random: SeededRandom,
  take: (seatId: string, email: string) => Promise<TestResponse>,
): Promise<void> {
  const open = await readSeats(group, 'open');
  if (open.length === 0) return;
  const { id } = random.pick(open);
  const people = random.chance(0.5) ? [stranger(), stranger()] : [stranger()];
  await Promise.all(
    people.map(async (email) => {
      const { status } = await untilDefinite(() => take(id, email));
      if (status !== 200) return;
      group.holders.set(id, (group.holders.get(id) ?? new Set()).add(email));
    }),
  );
}

const assignOne = (group: Group, random: SeededRandom): Promise<void> =>
  offerSeat(group, random, (seatId, email) => {
    const path = `${group.shop.path}/orders/${group.orderId}/seats/${seatId}/assign`;
    return group.shop.call('POST', path, { body: { email } });
  });

async function claimOne(group: Group, random: SeededRandom): Promise<void> {
  const { call, path } = group.shop;
  const links = `${path}/orders/${group.orderId}/claim-links`;
  const link = await untilDefinite(() => call('POST', links, { body: {} }));
  if (link.status !== 200) return;
  const headers = { authorization: `Bearer ${link.body.claimToken}` };
  await offerSeat(group, random, (seatId, email) =>
    call('POST', `/v1/claims/${seatId}/assign`, { headers, body: { email } }),
  );
}

/**
 * Quotes the cancellation of a seat or two, other ticket types for the next ones, or both, sometimes
 * twice, and executes the quotes at once.
 */
async function change(group: Group, random: SeededRandom): Promise<void> {
  const seats = random.shuffled(await readSeats(group, 'open', 'assigned'));
  if (seats.length === 0) return;
  const places = random.pick([1, 1, 2, 0]);
  const cancelSeats = seats.slice(0, places).map(({ id }) => id);
  const types = [group.shop.typeId, ...group.shop.otherTypes.map(({ id }) => id)];
  const others = places > 0 && random.chance(0.7) ? [] : seats.slice(places, places + 2);
  const changeTypes = others.map(({ id: seatId, ticketTypeId }) => ({
    ...{ seatId, ticketTypeId: random.pick(types.filter((id) => id !== ticketTypeId)) },
  }));
  const quotes: OrderQuote[] = [];
  for (let n = 0; n < 1 + random.below(2); n++) {
    const quoted = await post(group, { dryRun: true, cancelSeats, changeTypes });
    if (quoted.status === 200) quotes.push(quoted.body.quote);
  }
  const runs = random.chance(0.4) ? [...quotes, ...quotes] : quotes;
  await Promise.all(runs.map((quote) => execute(group, quote)));
}

async function execute(group: Group, quote: OrderQuote): Promise<void> {
  const { status, body } = await post(group, { quoteId: quote.id });
  if (status !== 200) return void group.refused.push(quote);
  group.executed.set(quote.id, body.quote);
  if (JSON.stringify(body.quote) !== JSON.stringify(quote)) group.altered.push(body.quote);
}

const post = ({ shop, orderId }: Group, body: object): Promise<TestResponse> =>
  untilDefinite(() => shop.call('POST', `${shop.path}/orders/${orderId}/changes`, { body }));
