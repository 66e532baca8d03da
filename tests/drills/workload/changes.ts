import { isDeepStrictEqual } from 'node:util';
import type { CreatedOrder, OpenQuote } from '../environment/sales.ts';
import type { ObservedResponse } from '../history/responses.ts';
import type { Buyer } from './buyer.ts';
import { chooseChange } from './choose-change.ts';
import { assign } from './open-seats.ts';
import { readPaid, urls, waysToPay } from './orders.ts';
import { payAt } from './provider.ts';
import { cancelRegistration, refundOne } from './refunds.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are inspected without a schema.
type Body = any;

/**
 * Quotes a change of a paid order that cancels seats and units of add-ons and gives seats other
 * ticket types, or some of it, and executes most quotes: sometimes twice, or while the order
 * changes in another way. The others are executed later, or never. What costs more is paid, mostly.
 */
export async function changeOrder(buyer: Buyer): Promise<void> {
  const { sale, random } = buyer;
  const paid = await readPaid(buyer, () => true);
  const change = paid && chooseChange(random, paid.body, sale.types);
  if (!change) return;
  const { order } = paid;
  const seen = await post(buyer, order, 'quote change', { dryRun: true, ...change });
  if (seen?.status !== 200) return;
  const { id, ...quote } = (seen.body as Body).quote;
  const { cancelSeats, changeTypes } = change;
  const open = { id, quote, order, cancelSeats, changeTypes };
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
  const changed = [...open.cancelSeats, ...open.changeTypes.map(({ seatId }) => seatId)];
  const seat = seats.find(({ id }) => changed.includes(id));
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
  { id, quote, order, cancelSeats, changeTypes }: OpenQuote,
): Promise<ObservedResponse | null> {
  const isDearer = (quote as Body).amountToPay > 0;
  const operation = isDearer
    ? 'execute change that costs more'
    : changeTypes.length > 0
      ? 'execute change of types'
      : 'execute change';
  const seen = await post(buyer, order, operation, { quoteId: id, ...(isDearer && urls) });
  if (seen?.status !== 200) return seen;
  const { status, quote: executed, order: changed, paymentUrl } = seen.body as Body;
  if (isDearer && status === 'awaiting_payment') {
    await payForChange(buyer, { id: order.id, sessionUrl: paymentUrl });
    return seen;
  }
  const isCancelled = (seatId: string) =>
    changed.seats.some((seat: Body) => seat.id === seatId && seat.status === 'cancelled');
  if (
    status !== 'done' ||
    !isDeepStrictEqual(executed, { id, ...quote }) ||
    !cancelSeats.every(isCancelled)
  )
    buyer.history.breaks('what was quoted is what happens', { id, quote, status, executed });
  order.status = changed.status;
  return seen;
}

/** Pays most of the changes, in one of the ways to pay for an order. */
async function payForChange(
  { random, history }: Buyer,
  page: Pick<CreatedOrder, 'id' | 'sessionUrl'>,
): Promise<void> {
  if (page.sessionUrl && random.chance(0.8)) {
    await payAt(history, page, random.chance(0.1) ? 'decline' : `pay${random.pick(waysToPay)}`);
  }
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
