import { randomUUID } from 'node:crypto';
import type { CreatedOrder } from '../environment/sales.ts';
import type { ObservedResponse } from '../history/responses.ts';
import type { Buyer } from './buyer.ts';
import { payAt } from './provider.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are inspected without a schema.
type Body = any;

const config = { owner: 'commerce', method: 'POST' } as const;

export const urls = {
  successUrl: 'https://tickets.example.com/thanks',
  cancelUrl: 'https://tickets.example.com/basket',
};

/**
 * Places an order for a few attendees, sometimes with an add-on or a code. Its name is unique per
 * request.
 */
export async function place({ sale, client, random, email }: Buyer): Promise<void> {
  const type = random.pick(sale.types.filter(({ requiresApproval }) => !requiresApproval));
  const code = random.chance(0.4) ? sale.codes.find(({ typeId }) => typeId === type.id) : undefined;
  const count = (type.minPerOrder ?? 1) + (random.chance(0.2) ? 1 : 0);
  const assignLater = random.chance(0.2);
  const attendees = Array.from({ length: assignLater ? random.below(count) : count }, email);
  const ticket = {
    ...ticketsOf(type, count === 1 && !assignLater ? null : attendees),
    quantity: count,
  };
  const people = ticket.attendees ?? [];
  const addon = random.pick([
    { itemType: 'addon', itemId: sale.addons.dinner },
    { itemType: 'addon', itemId: sale.addons.workshop, quantity: 1 + random.below(3) },
    // A dinner for each attendee.
    { itemType: 'addon', itemId: sale.addons.dinner, ...(people.length > 0 && forEach(people)) },
  ]);
  const seen = await client.request({
    ...config,
    operation: 'place order',
    path: `${sale.path}/orders`,
    body: {
      email: email(),
      name: `drill ${randomUUID()}`,
      items: random.chance(0.25) ? [ticket, addon] : [ticket],
      assignLater,
      redemptionCode: code?.code ?? null,
    },
  });
  await confirmPlaced({ sale, client, random }, seen);
}

const forEach = (people: readonly object[]) => ({ quantity: people.length, attendees: people });

/** A line of an order for these attendees, or for the buyer alone. */
const ticketsOf = ({ id }: { id: string }, people: readonly string[] | null) => ({
  itemType: 'registration_type',
  itemId: id,
  quantity: people?.length ?? 1,
  ...(people && { attendees: people.map((each) => ({ email: each })) }),
});

/** Places an order that the limits of the offer forbid. */
export async function placeForbidden({ sale, client, random, history }: Buyer): Promise<void> {
  const [priced, table] = ['Priced', 'Table'].map((wanted) =>
    sale.types.find(({ name }) => name === wanted),
  );
  if (!priced || !table) return;
  const stranger = () => `${randomUUID()}@example.com`;
  const addon = (itemId: string, quantity: number) => ({ itemType: 'addon', itemId, quantity });
  const [reason, items] = random.pick<[reason: string, items: object[]]>([
    ['BELOW_ORDER_MINIMUM', [ticketsOf(table, null)]],
    ['ABOVE_ORDER_MAXIMUM', [ticketsOf(table, Array.from({ length: 4 }, stranger))]],
    ['ABOVE_ORDER_MAXIMUM', [ticketsOf(priced, null), addon(sale.addons.workshop, 4)]],
    ['NOT_ON_SALE', [ticketsOf(priced, null), addon(sale.addons.later, 1)]],
  ]);
  const seen = await client.request({
    ...config,
    operation: 'place forbidden order',
    path: `${sale.path}/orders`,
    body: { email: stranger(), name: `drill ${randomUUID()}`, items },
  });
  const given = (seen?.body as Body)?.error?.details?.[0]?.reason;
  if (seen && given !== reason && !(sale.mayEnd && isEnded(seen)))
    history.breaks('an order beyond the limits is refused', { reason, ...seen });
}

/** Whether a refusal says that the event is cancelled. */
const isEnded = ({ body }: ObservedResponse): boolean =>
  /^EVENT_/.test((body as Body)?.error?.details?.[0]?.reason);

/** Places an order for a waitlisted registration that has an offer. */
export async function takeOffer({ sale, client, random }: Buyer): Promise<void> {
  const offered = sale.registrations.filter(({ hasOffer }) => hasOffer);
  if (offered.length === 0) return;
  const registration = random.pick(offered);
  registration.hasOffer = false;
  const seen = await client.request({
    ...config,
    operation: 'take offer',
    path: `${sale.path}/orders`,
    body: {
      email: registration.email,
      name: `drill ${randomUUID()}`,
      items: [{ itemType: 'registration_type', itemId: registration.typeId }],
    },
  });
  await confirmPlaced({ sale, client, random }, seen);
}

/** Confirms most of the orders that were placed. */
async function confirmPlaced(
  { sale, client, random }: Pick<Buyer, 'sale' | 'client' | 'random'>,
  seen: ObservedResponse | null,
): Promise<void> {
  if (seen?.status !== 201) return;
  const { id, status, totalAmount, seats } = seen.body as Body;
  const hasOpenSeats = seats.some((seat: Body) => seat.status === 'open');
  const pages = { paymentUrl: null, sessionUrl: null };
  const order = { id, status, totalAmount, ...pages, isForged: false, hasOpenSeats };
  sale.orders.push(order);
  if (random.chance(0.85)) await confirm({ sale, client, random }, order);
}

async function confirm(
  { sale, client }: Pick<Buyer, 'sale' | 'client' | 'random'>,
  order: CreatedOrder,
): Promise<void> {
  const path = `${sale.path}/orders/${order.id}/confirm`;
  learn(order, await client.request({ ...config, operation: 'confirm order', path, body: urls }));
}

const ofStatus = (orders: readonly CreatedOrder[], ...wanted: string[]) =>
  // Only the latest orders: the holds of older ones have expired.
  orders.filter(({ status }) => wanted.includes(status)).slice(-12);

/** The switches of the payment page, with failures. */
export const waysToPay = [
  ...['', '', '', '', '?notify=twice', '?delayMs=900', '?amount=3', '?notify=never'],
];

/** Submits a payment page in one of several ways, including failures. */
export async function pay(buyer: Buyer): Promise<void> {
  const { sale, random, history } = buyer;
  const payable = ofStatus(sale.orders, 'awaiting_payment').filter(({ paymentUrl }) => paymentUrl);
  if (payable.length === 0) return;
  const order = random.pick(payable);
  if (random.chance(0.1)) {
    await payAt(history, order, 'decline');
    return;
  }
  await payAt(history, order, `pay${random.pick(waysToPay)}`);
  if (random.chance(0.1)) await cancelOne(buyer, order);
  else await read(buyer, order);
}

export async function cancel(buyer: Buyer): Promise<void> {
  const live = ofStatus(buyer.sale.orders, 'held', 'awaiting_payment', 'expired');
  if (live.length > 0) await cancelOne(buyer, buyer.random.pick(live));
}

async function cancelOne({ sale, client }: Buyer, order: CreatedOrder): Promise<void> {
  const path = `${sale.path}/orders/${order.id}/cancel`;
  learn(order, await client.request({ ...config, operation: 'cancel order', path }));
}

async function read(
  { sale, client }: Buyer,
  order: CreatedOrder,
): Promise<ObservedResponse | null> {
  const path = `${sale.path}/orders/${order.id}`;
  const seen = await client.request({ ...config, method: 'GET', operation: 'read order', path });
  learn(order, seen);
  return seen;
}

export async function readOrder(buyer: Buyer): Promise<void> {
  const { orders } = buyer.sale;
  if (orders.length > 0) await read(buyer, buyer.random.pick(orders.slice(-30)));
}

/** Reads one of the paid orders that are wanted; null if there is none. */
export async function readPaid(
  buyer: Buyer,
  isWanted: (order: CreatedOrder) => boolean,
): Promise<{ order: CreatedOrder; body: Body } | null> {
  const paid = buyer.sale.orders.filter(
    (order) => !order.isForged && order.status === 'paid' && isWanted(order),
  );
  if (paid.length === 0) return null;
  const order = buyer.random.pick(paid);
  const seen = await read(buyer, order);
  return seen?.status === 200 ? { order, body: seen.body } : null;
}

function learn(order: CreatedOrder, seen: ObservedResponse | null): void {
  if (!seen || seen.status >= 300) return;
  const { status, paymentUrl } = seen.body as Body;
  order.status = status;
  order.paymentUrl = paymentUrl;
  order.sessionUrl = paymentUrl ?? order.sessionUrl;
}
