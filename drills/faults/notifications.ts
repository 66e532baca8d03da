import { randomUUID } from 'node:crypto';
import { systemClock } from '@event-api/platform/clock';
import { createClient } from '../client.ts';
import type { KnownOrder, Shop } from '../shops.ts';
import { urls } from '../workload/orders.ts';
import { notify, payAt, sessionOf } from '../workload/provider.ts';
import { type Fault, nobody, type Stage } from './fault.ts';

const once = { lastsMs: 0, excuses: nobody, end: async () => {} };

/** An order of the fault's own that waits for its money; null where none could be made. */
async function awaiting(
  { around, journal, choices }: Stage,
  shop: Shop,
): Promise<KnownOrder | null> {
  const { path } = shop;
  const secret = () => shop.key.secret;
  const client = createClient({ baseUrl: around.gatewayUrl, secret, journal, choices });
  const config = { owner: 'commerce', method: 'POST' } as const;
  const type = shop.types.find(({ name }) => name === 'Priced');
  const placed = await client.ask({
    ...config,
    operation: 'place order',
    path: `${path}/orders`,
    body: {
      email: `${randomUUID()}@example.com`,
      items: [{ itemType: 'registration_type', itemId: type?.id }],
    },
  });
  if (placed?.status !== 201) return null;
  const { id, totalAmount } = placed.body as KnownOrder;
  const confirmed = await client.ask({
    ...config,
    operation: 'confirm order',
    path: `${path}/orders/${id}/confirm`,
    body: urls,
  });
  const sessionUrl = (confirmed?.body as KnownOrder | undefined)?.paymentUrl ?? null;
  if (!sessionUrl) return null;
  return {
    id,
    totalAmount,
    status: 'awaiting_payment',
    paymentUrl: null,
    sessionUrl,
    isForged: false,
  };
}

/** As the provider tells of it. */
const told = ({ receivedAmount, receivedCurrency, ...session }: Record<string, unknown>) => ({
  ...session,
  amount: receivedAmount,
  currency: receivedCurrency,
});

const hundredTimes: Fault = {
  ...once,
  name: 'a notification 100 times at once',
  target: 'notifications',
  async begin(stage) {
    const { around, journal, choices } = stage;
    const order = await awaiting(stage, choices.pick(stage.shops));
    if (!order) return;
    await payAt(journal, order, 'pay?notify=never');
    const session = await sessionOf(around, order.sessionUrl ?? '').catch(() => null);
    if (session?.state !== 'paid') return;
    const copies = Array.from({ length: 100 }, (_, n) =>
      notify(journal, around, { id: `evt_${order.id}_${n % 2}`, session: told(session) }),
    );
    for (const status of new Set(await Promise.all(copies))) {
      if (status !== null && status >= 300 && status < 500) {
        journal.breaks('a notification was refused', { order: order.id, status });
      }
    }
  },
};

const forged: Fault = {
  ...once,
  name: 'notifications too old, and with a wrong secret',
  target: 'notifications',
  async begin(stage) {
    const { around, journal, choices } = stage;
    const order = await awaiting(stage, choices.pick(stage.shops));
    if (!order) return;
    const session = await sessionOf(around, order.sessionUrl ?? '').catch(() => null);
    if (!session?.id) return;
    const paymentId = `pi_forged_${order.id}`;
    for (const [how, part] of Object.entries({
      old: { at: new Date(systemClock.now().getTime() - 301_000) },
      wrong: { secret: 'another secret, and a long one' },
    })) {
      const id = `evt_${how}_${order.id}`;
      const status = await notify(journal, around, {
        id,
        session: { ...session, paymentId },
        ...part,
      });
      if (status !== null && status !== 400 && status < 500) {
        journal.breaks('a forged notification was taken', { order: order.id, how, status });
      }
      journal.facts.push({ kind: 'refused notification', id });
    }
  },
};

const late: Fault = {
  ...once,
  name: 'money for orders that have expired',
  target: 'notifications',
  async begin({ around, shops, journal }) {
    const expired = shops.flatMap(({ orders }) =>
      orders.filter(({ status, sessionUrl }) => status === 'expired' && sessionUrl).slice(-1),
    );
    for (const order of expired.slice(0, 3)) {
      const session = await sessionOf(around, order.sessionUrl ?? '').catch(() => null);
      if (session?.state !== 'expired') continue;
      order.isForged = true;
      const paymentId = `pi_late_${session.id}`;
      const sent = { id: `evt_late_${session.id}`, session: { ...session, paymentId } };
      const status = await notify(journal, around, sent);
      if (status === 200) journal.facts.push({ kind: 'payment', id: paymentId, orderId: order.id });
    }
  },
};

export const notificationFaults: Fault[] = [hundredTimes, forged, late];
