import { isDeepStrictEqual } from 'node:util';
import type { CancelledAddon } from '@event-api/contracts/http/order-changes';
import type { SeededRandom } from '@event-api/platform/testing/random';
import type { OpenQuote } from '../environment/sales.ts';
import type { ObservedResponse } from '../history/responses.ts';
import type { Buyer } from './buyer.ts';
import { assign } from './open-seats.ts';
import { readPaid } from './orders.ts';
import { cancelRegistration, refundOne } from './refunds.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are inspected without a schema.
type Body = any;

/**
 * Quotes a change of a paid order that cancels seats, units of add-ons or both, and executes most
 * quotes: sometimes twice, or while the order changes in another way. The others are executed
 * later, or never.
 */
export async function changeOrder(buyer: Buyer): Promise<void> {
  const { sale, random } = buyer;
  const paid = await readPaid(buyer, () => true);
  const change = paid && chooseChange(random, paid.body);
  if (!change) return;
  const { order } = paid;
  const seen = await post(buyer, order, 'quote change', { dryRun: true, ...change });
  if (seen?.status !== 200) return;
  const { id, ...quote } = (seen.body as Body).quote;
  const open = { id, quote, order, seatIds: change.cancelSeats };
  if (random.chance(0.2)) sale.quotes.push(open);
  else await executeBesides(buyer, open, paid.body.seats);
}

/** Executes a quote that was made before. The order may have changed since. */
export async function executeLate(buyer: Buyer): Promise<void> {
  const { quotes } = buyer.sale;
  const [open] = quotes.splice(buyer.random.below(Math.max(quotes.length, 1)), 1);
  if (open) await executeBesides(buyer, open, []);
}

async function executeBesides(buyer: Buyer, open: OpenQuote, seats: Body[]): Promise<void> {
  const { random } = buyer;
  const nothing = async () => {};
  const again = () => execute(buyer, open);
  const seat = seats.find(({ id }) => open.seatIds.includes(id));
  const others: (() => Promise<unknown>)[] = [nothing, nothing, again, again];
  if (open.order.totalAmount > 0) others.push(() => refundOne(buyer, open.order));
  if (seat?.status === 'assigned')
    others.push(() => cancelRegistration(buyer, seat.registrationId));
  if (seat?.status === 'open') {
    const ids = { orderId: open.order.id, seatId: seat.id };
    others.push(() => assign(buyer, ids, buyer.email()));
  }
  const other = random.pick(others);
  const [first, second] = await Promise.all([execute(buyer, open), other()]);
  const executions = other === again ? [first, second as typeof first] : [first];
  // One that was refused has changed nothing, unless the other one has executed the quote.
  if (executions.every((each) => each?.status === 412))
    buyer.history.acknowledge({ kind: 'refused change', id: open.id });
}

/** Executes a quote. The response says that what was quoted has happened, or is a refusal. */
async function execute(
  buyer: Buyer,
  { id, quote, order, seatIds }: OpenQuote,
): Promise<ObservedResponse | null> {
  const seen = await post(buyer, order, 'execute change', { quoteId: id });
  if (seen?.status !== 200) return seen;
  const { status, quote: executed, order: changed } = seen.body as Body;
  const isCancelled = (seatId: string) =>
    changed.seats.some((seat: Body) => seat.id === seatId && seat.status === 'cancelled');
  if (
    status !== 'done' ||
    !isDeepStrictEqual(executed, { id, ...quote }) ||
    !seatIds.every(isCancelled)
  )
    buyer.history.breaks('what was quoted is what happens', { id, quote, status, executed });
  order.status = changed.status;
  return seen;
}

const post = (
  { sale, client }: Buyer,
  { id }: { id: string },
  operation: string,
  body: object,
): Promise<ObservedResponse | null> =>
  client.request({
    ...{ owner: 'commerce', method: 'POST', operation },
    path: `${sale.path}/orders/${id}/changes`,
    body,
  });

/** Some of the seats and units that an order has; null if it has none. */
function chooseChange(
  random: SeededRandom,
  { seats, items }: Body,
): { cancelSeats: string[]; cancelAddons: Partial<CancelledAddon>[] } | null {
  const left = seats.filter(({ status }: Body) => status !== 'cancelled');
  const some = random.chance(0.3) ? left : left.slice(0, 1);
  const cancelSeats = random.chance(0.75) ? random.shuffled<Body>(some).map(({ id }) => id) : [];
  const cancelAddons = items.flatMap((item: Body, itemIndex: number) =>
    item.itemType === 'addon' && random.chance(0.7) ? [chooseUnits(random, item, itemIndex)] : [],
  );
  return cancelSeats.length + cancelAddons.length === 0 ? null : { cancelSeats, cancelAddons };
}

const chooseUnits = (
  random: SeededRandom,
  { quantity, attendees, registrationIds }: Body,
  itemIndex: number,
): Partial<CancelledAddon> =>
  attendees.length > 0 && registrationIds.length > 0
    ? { itemIndex, registrationId: random.pick<string>(registrationIds) }
    : { itemIndex, quantity: 1 + random.below(quantity) };
