import { eventually } from '@event-api/platform/testing/eventually';
import { notify } from '../workload/provider.ts';
import type { DrillContext } from './fault.ts';

interface Line {
  session?: {
    id: string;
    state: string;
    paymentId: string;
    receivedAmount: number;
    receivedCurrency: string;
  };
  refund?: { refundId: string; paymentId: string };
}

const linesOf = ({ environment }: DrillContext): Line[] =>
  environment.providerLines().map((line) => JSON.parse(line));

/** The provider's ids of the payments that commerce has. Errors: PostgreSQL's. */
async function settledPayments({ environment }: DrillContext): Promise<Set<string>> {
  const rows = await environment.sql<{ id: string }>(
    'select provider_payment_id as id from commerce.settlement',
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Sends the events of the payments that commerce has lost once more, as an operator does in the
 * provider's dashboard. Errors: PostgreSQL's.
 */
export async function sendPaymentsAgain(context: DrillContext): Promise<void> {
  const { environment, history } = context;
  const known = await settledPayments(context);
  const paid = new Map(
    linesOf(context).flatMap(({ session }) =>
      session?.state === 'paid' && !known.has(session.paymentId) ? [[session.id, session]] : [],
    ),
  );
  for (const { receivedAmount, receivedCurrency, ...session } of paid.values()) {
    const sent = { ...session, amount: receivedAmount, currency: receivedCurrency };
    await eventually(async () => {
      const status = await notify(history, environment, {
        id: `evt_again_${session.id}`,
        session: sent,
      });
      if (status !== 200) throw new Error(`an event that was sent again is ${status}`);
    });
  }
}

/**
 * Notes what the restored commerce does not know. A payment may belong to an order that is lost: it
 * is then listed as unmatched. A refund is known to the provider alone: nobody refunds this payment
 * again. Errors: PostgreSQL's.
 */
export async function noteLostMoney(context: DrillContext): Promise<void> {
  const { environment, history, sales } = context;
  const settled = await settledPayments(context);
  const payments = history.acknowledgements.filter((each) => each.kind === 'payment');
  for (const payment of payments) if (!settled.has(payment.id)) history.undone.add(payment);
  const rows = await environment.sql<{ id: string }>(
    "select id from commerce.refund where state = 'done'",
  );
  const known = new Set(rows.map(({ id }) => id));
  const refunds = linesOf(context).flatMap(({ refund }) =>
    refund && !known.has(refund.refundId) ? [refund] : [],
  );
  for (const { refundId } of refunds) history.lost.add(refundId);
  const refunded = new Set(refunds.map(({ paymentId }) => paymentId));
  const orders = new Set(payments.flatMap(({ id, orderId }) => (refunded.has(id) ? orderId : [])));
  for (const order of sales.flatMap((sale) => sale.orders))
    if (orders.has(order.id)) order.isForged = true;
  // The page of a session that commerce does not know: a read of the order returns the valid one.
  for (const order of sales.flatMap((sale) => sale.orders)) order.paymentUrl = null;
}
