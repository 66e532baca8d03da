import { randomUUID } from 'node:crypto';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { OperatorRefusal, PlatformUnreachableError } from '@event-api/scripts/operator-client';
import type { Seen } from '../answers.ts';
import { factsIn } from '../facts.ts';
import type { KnownOrder } from '../shops.ts';
import type { Buyer } from './buyer.ts';
import { payAt } from './provider.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into, whatever their shape.
type Body = any;

const config = { owner: 'commerce', method: 'POST' } as const;

export const urls = {
  successUrl: 'https://tickets.example.com/thanks',
  cancelUrl: 'https://tickets.example.com/basket',
};

/** Places an order for one person or two, sometimes with an add-on or a code. Its name is the request's own. */
export async function place({ shop, client, choices, email }: Buyer): Promise<void> {
  const type = choices.pick(shop.types.filter(({ name }) => name !== 'Judged'));
  const code = choices.chance(0.4)
    ? shop.codes.find(({ typeId }) => typeId === type.id)
    : undefined;
  const people = choices.chance(0.2) ? [email(), email()] : null;
  const ticket = {
    itemType: 'registration_type',
    itemId: type.id,
    quantity: people?.length ?? 1,
    ...(people && { attendees: people.map((each) => ({ email: each })) }),
  };
  const addon = { itemType: 'addon', itemId: shop.addonId };
  const seen = await client.ask({
    ...config,
    operation: 'place order',
    path: `${shop.path}/orders`,
    body: {
      email: email(),
      name: `drill ${randomUUID()}`,
      items: choices.chance(0.15) ? [ticket, addon] : [ticket],
      redemptionCode: code?.code ?? null,
    },
  });
  if (seen?.status !== 201) return;
  const { id, status, totalAmount } = seen.body as Body;
  const known = { id, status, totalAmount, paymentUrl: null, sessionUrl: null, isForged: false };
  shop.orders.push(known);
  if (choices.chance(0.85)) await confirm({ shop, client, choices }, known);
}

async function confirm(
  { shop, client }: Pick<Buyer, 'shop' | 'client' | 'choices'>,
  known: KnownOrder,
): Promise<void> {
  const path = `${shop.path}/orders/${known.id}/confirm`;
  learn(known, await client.ask({ ...config, operation: 'confirm order', path, body: urls }));
}

const ofStatus = (orders: readonly KnownOrder[], ...wanted: string[]) =>
  // The youngest: the holds of others are over.
  orders.filter(({ status }) => wanted.includes(status)).slice(-12);

/** Presses the button of a payment page, in one of the ways in which that can go. */
export async function pay(buyer: Buyer): Promise<void> {
  const { shop, choices, journal } = buyer;
  const payable = ofStatus(shop.orders, 'awaiting_payment').filter(({ paymentUrl }) => paymentUrl);
  if (payable.length === 0) return;
  const known = choices.pick(payable);
  if (choices.chance(0.1)) {
    await payAt(journal, known, 'decline');
    return;
  }
  const how = ['', '', '', '', '?notify=twice', '?delayMs=900', '?amount=3', '?notify=never'];
  await payAt(journal, known, `pay${choices.pick(how)}`);
  if (choices.chance(0.1)) await cancelOne(buyer, known);
  else await read(buyer, known);
}

export async function cancel(buyer: Buyer): Promise<void> {
  const live = ofStatus(buyer.shop.orders, 'held', 'awaiting_payment', 'expired');
  if (live.length > 0) await cancelOne(buyer, buyer.choices.pick(live));
}

async function cancelOne({ shop, client }: Buyer, known: KnownOrder): Promise<void> {
  const path = `${shop.path}/orders/${known.id}/cancel`;
  learn(known, await client.ask({ ...config, operation: 'cancel order', path }));
}

async function read({ shop, client }: Buyer, known: KnownOrder): Promise<void> {
  const path = `${shop.path}/orders/${known.id}`;
  learn(known, await client.ask({ ...config, method: 'GET', operation: 'read order', path }));
}

export async function readOrder(buyer: Buyer): Promise<void> {
  const { orders } = buyer.shop;
  if (orders.length > 0) await read(buyer, buyer.choices.pick(orders.slice(-30)));
}

/** An operator gives money back, in part or whole; sometimes two do at once. A refund has no key: it is not repeated. */
export async function refund({ shop, choices, journal, operator }: Buyer): Promise<void> {
  const paid = shop.orders.filter(
    ({ status, totalAmount, isForged }) =>
      !isForged && totalAmount > 0 && (status === 'paid' || status === 'refund_due'),
  );
  if (paid.length === 0) return;
  const known = choices.pick(paid);
  const extent = choices.pick<{ all: true } | { amount: number }>([
    { all: true },
    { amount: 1 },
    { amount: Math.ceil(known.totalAmount * 0.6) },
  ]);
  const scope = { businessUnitId: shop.unitId, eventId: shop.eventId };
  const input = { ...scope, orderId: known.id, ...extent, force: choices.chance(0.5) };
  const once = async () => {
    try {
      const answer = await operator.call(refundOrder, input);
      journal.count('refund', '200');
      journal.facts.push(...factsIn(answer));
      known.status = answer.order.status;
    } catch (error) {
      if (error instanceof OperatorRefusal) {
        journal.count('refund', String(error.status));
        if (error.status === 500) journal.breaks('an operator was answered 500', error.message);
      } else if (error instanceof PlatformUnreachableError) {
        journal.count('refund', 'cut');
      } else throw error;
    }
  };
  await Promise.all(choices.chance(0.4) ? [once(), once(), once()] : [once()]);
}

function learn(known: KnownOrder, seen: Seen | null): void {
  if (!seen || seen.status >= 300) return;
  const { status, paymentUrl } = seen.body as Body;
  known.status = status;
  known.paymentUrl = paymentUrl;
  known.sessionUrl = paymentUrl ?? known.sessionUrl;
}
