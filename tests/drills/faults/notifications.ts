import { randomUUID } from 'node:crypto';
import { systemClock } from '@event-api/platform/core/clock';
import { createClient } from '../environment/client.ts';
import type { CreatedOrder, SaleFixture } from '../environment/sales.ts';
import { urls } from '../workload/orders.ts';
import { notify, payAt, sessionOf } from '../workload/provider.ts';
import { type DrillContext, type Fault, noServices } from './fault.ts';

const once = { lastsMs: 0, affects: noServices, end: async () => {} };

/** Creates an order that awaits payment. Returns null if that is not possible. */
async function awaiting(
  { environment, history, random }: DrillContext,
  sale: SaleFixture,
): Promise<CreatedOrder | null> {
  const { path } = sale;
  const secret = () => sale.key.secret;
  const client = createClient({ baseUrl: environment.gatewayUrl, secret, history, random });
  const config = { owner: 'commerce', method: 'POST' } as const;
  const type = sale.types.find(({ name }) => name === 'Priced');
  const placed = await client.request({
    ...config,
    operation: 'place order',
    path: `${path}/orders`,
    body: {
      email: `${randomUUID()}@example.com`,
      items: [{ itemType: 'registration_type', itemId: type?.id }],
    },
  });
  if (placed?.status !== 201) return null;
  const { id, totalAmount } = placed.body as CreatedOrder;
  const confirmed = await client.request({
    ...config,
    operation: 'confirm order',
    path: `${path}/orders/${id}/confirm`,
    body: urls,
  });
  const sessionUrl = (confirmed?.body as CreatedOrder | undefined)?.paymentUrl ?? null;
  if (!sessionUrl) return null;
  return {
    id,
    totalAmount,
    status: 'awaiting_payment',
    paymentUrl: null,
    sessionUrl,
    isForged: false,
    hasOpenSeats: false,
  };
}

/** Returns the payment session as the provider's notification contains it. */
const toNotifiedSession = ({
  receivedAmount,
  receivedCurrency,
  ...session
}: Record<string, unknown>) => ({
  ...session,
  amount: receivedAmount,
  currency: receivedCurrency,
});

const hundredTimes: Fault = {
  ...once,
  name: '100 concurrent notifications',
  target: 'notifications',
  async begin(context) {
    const { environment, history, random } = context;
    const order = await awaiting(context, random.pick(context.sales));
    if (!order) return;
    await payAt(history, order, 'pay?notify=never');
    const session = await sessionOf(environment, order.sessionUrl ?? '').catch(() => null);
    if (session?.state !== 'paid') return;
    const copies = Array.from({ length: 100 }, (_, n) =>
      notify(history, environment, {
        id: `evt_${order.id}_${n % 2}`,
        session: toNotifiedSession(session),
      }),
    );
    for (const status of new Set(await Promise.all(copies))) {
      if (status !== null && status >= 300 && status < 500) {
        history.breaks('every copy of a notification is accepted', { order: order.id, status });
      }
    }
  },
};

const forged: Fault = {
  ...once,
  name: 'notifications too old or with a wrong secret',
  target: 'notifications',
  async begin(context) {
    const { environment, history, random } = context;
    const order = await awaiting(context, random.pick(context.sales));
    if (!order) return;
    const session = await sessionOf(environment, order.sessionUrl ?? '').catch(() => null);
    if (!session?.id) return;
    const paymentId = `pi_forged_${order.id}`;
    for (const [how, part] of Object.entries({
      old: { at: new Date(systemClock.now().getTime() - 301_000) },
      wrong: { secret: 'another secret, and a long one' },
    })) {
      const id = `evt_${how}_${order.id}`;
      const status = await notify(history, environment, {
        id,
        session: { ...session, paymentId },
        ...part,
      });
      if (status !== null && status !== 400 && status < 500) {
        history.breaks('forged notifications are rejected', { order: order.id, how, status });
      }
      history.acknowledge({ kind: 'rejected notification', id });
    }
  },
};

const late: Fault = {
  ...once,
  name: 'payments for expired orders',
  target: 'notifications',
  async begin({ environment, sales, history }) {
    const expired = sales.flatMap(({ orders }) =>
      orders.filter(({ status, sessionUrl }) => status === 'expired' && sessionUrl).slice(-1),
    );
    for (const order of expired.slice(0, 3)) {
      const session = await sessionOf(environment, order.sessionUrl ?? '').catch(() => null);
      if (session?.state !== 'expired') continue;
      order.isForged = true;
      const paymentId = `pi_late_${session.id}`;
      const sent = { id: `evt_late_${session.id}`, session: { ...session, paymentId } };
      const status = await notify(history, environment, sent);
      if (status === 200)
        history.acknowledge({ kind: 'payment', id: paymentId, orderId: order.id });
    }
  },
};

export const notificationFaults: Fault[] = [hundredTimes, forged, late];
