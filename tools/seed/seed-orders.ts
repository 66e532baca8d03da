import { setTimeout as wait } from 'node:timers/promises';
import {
  type Client,
  cancelOrder,
  confirmOrder,
  getOrder,
  listOrders,
  placeOrder,
} from '@event-api/client';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import type { OperatorClient } from '../admin/operator-client.ts';
import type { Ids } from './seed-registrations.ts';

/** Final state of a demo order. */
type Fate = 'held' | 'awaiting_payment' | 'paid' | 'cancelled' | 'refund_due' | 'refunded';

interface DemoOrder {
  email: string;
  name: string;
  ticketType: string;
  fate: Fate;
}

/** Orders in every state that does not depend on the passage of time. */
export const demoOrders: readonly DemoOrder[] = [
  { email: 'helen.frost@orders.example', name: 'Helen Frost', fate: 'held' },
  { email: 'omar.idris@orders.example', name: 'Omar Idris', fate: 'awaiting_payment' },
  { email: 'ines.costa@orders.example', name: 'Inês Costa', fate: 'paid' },
  { email: 'kenji.mori@orders.example', name: 'Kenji Mori', fate: 'paid' },
  { email: 'lucy.oneil@orders.example', name: 'Lucy O’Neil', fate: 'cancelled' },
  { email: 'pavel.novak@orders.example', name: 'Pavel Novák', fate: 'refund_due' },
  { email: 'sara.lind@orders.example', name: 'Sara Lind', fate: 'refunded' },
].map((order) => ({ ticketType: 'Conference pass', ...order }) as DemoOrder);

const returnUrls = {
  successUrl: 'https://tickets.example.com/thanks',
  cancelUrl: 'https://tickets.example.com/basket',
};

/** Places the missing demo orders and brings each to its final state. */
export async function ensureOrders(
  client: Client,
  operator: OperatorClient,
  scope: { businessUnitId: string; eventId: string },
  sellables: Ids,
): Promise<void> {
  const { orders } = await listOrders({ client, path: { eventId: scope.eventId } });
  const existingEmails = new Set(orders.map(({ email }) => email));
  for (const order of demoOrders) {
    if (!existingEmails.has(order.email))
      await createDemoOrder(client, operator, scope, sellables, order);
  }
}

async function createDemoOrder(
  client: Client,
  operator: OperatorClient,
  scope: { businessUnitId: string; eventId: string },
  sellables: Ids,
  { email, name, ticketType, fate }: DemoOrder,
): Promise<void> {
  const path = { eventId: scope.eventId };
  const itemId = sellables.get(ticketType) ?? '';
  const items = [{ itemType: 'registration_type' as const, itemId }];
  const placed = await placeOrder({ client, path, body: { email, name, items } });
  if (!('orderNumber' in placed)) throw new Error(`${email} is registered without a demo order`);
  const { id: orderId, orderNumber } = placed;
  if (fate === 'held') return;
  const orderPath = { ...path, orderNumber };
  const confirmed = await confirmOrder({ client, path: orderPath, body: returnUrls });
  if (fate === 'awaiting_payment') return;
  const paymentUrl = confirmed.paymentUrl ?? '';
  if (fate === 'cancelled' || fate === 'refund_due') {
    await cancelOrder({ client, path: orderPath });
    // A payment captured after the cancellation is refunded later. Seeding does not wait for its
    // settlement.
    if (fate === 'refund_due') await pay(paymentUrl, '?late=1');
    return;
  }
  await pay(paymentUrl, '');
  await untilPaid(client, { ...path, orderId });
  if (fate === 'refunded') {
    const reason = 'Cannot come after all';
    await operator.call(refundOrder, { ...scope, orderId, all: true, reason });
  }
}

async function pay(paymentUrl: string, how: string): Promise<void> {
  const response = await fetch(`${paymentUrl}/pay${how}`, { method: 'POST' });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the payment page responded with ${response.status}`);
}

/** Polls the order, because settlements are processed in the background. */
async function untilPaid(
  client: Client,
  path: { eventId: string; orderId: string },
): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const order = await getOrder({ client, path });
    if (order.status === 'paid') return;
    const isFinal = order.status !== 'held' && order.status !== 'awaiting_payment';
    if (isFinal || performance.now() > deadline)
      throw new Error(`the status of a demo order is ${order.status}`);
    await wait(100);
  }
}
