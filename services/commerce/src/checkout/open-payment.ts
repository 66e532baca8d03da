import { unavailable } from '@event-api/platform/core/errors';
import { randomId } from '@event-api/platform/core/ids';
import { reachStep } from '@event-api/platform/core/steps';
import { orderClosed, paymentUnavailable } from '../errors.ts';
import { changeOrder } from '../orders/change-order.ts';
import { type OrderRow, reloadOrder } from '../orders/orders.queries.ts';
import { decideConfirm, effectiveStatus } from '../orders/orders.rules.ts';
import { writeStatus } from '../orders/write.ts';
import { chooseAccount, providerOf } from '../payments/accounts/provider-of.ts';
import { feeOf } from '../payments/fees/fees.rules.ts';
import {
  findOpenPayment,
  insertPayment,
  type PaymentRow,
  writeOpenSession,
  writeSession,
} from '../payments/payments.queries.ts';
import { type PaymentDeps, type ReturnUrls, sessionInput } from '../payments/session-input.ts';
import { storePaymentState } from '../payments/store-state.ts';
import { timeouts } from '../timeouts.ts';

/**
 * Opens the payment page of an order as it was read, and returns the order. The attempt and its URLs
 * are stored before the provider is called, and a retry uses the same attempt: there is one session,
 * however often this is called.
 *
 * Errors: 412 `ORDER_CLOSED`, `PAYMENT_UNAVAILABLE`, `PAYMENT_ACCOUNT_MISSING`; 503 if the provider
 * is unavailable, and the attempt stays; 503 on a conflict, and a retry starts another attempt.
 * Locks: the order, but not during a call to the provider. Reports: `order.payment_changed` for a
 * new attempt and for a refused one, `order.awaiting_payment` for its page.
 */
export async function openPayment(
  deps: PaymentDeps,
  read: OrderRow,
  urls: ReturnUrls,
): Promise<OrderRow> {
  const { db } = deps;
  const { order, attempt } = await startAttempt(deps, read, urls);
  if (!attempt) return order;
  reachStep('payment.attempted');
  const provider = await providerOf(deps, attempt.provider);
  const session = await provider.createSession(sessionInput(attempt));
  reachStep('payment.created');
  if (session.outcome !== 'created') {
    await storePaymentState(db, attempt, 'refused');
    throw session.outcome === 'refused'
      ? paymentUnavailable()
      : unavailable(new Error('payment attempt conflicts with an earlier one'));
  }
  // The second page of an order changes its payments only, and not its status.
  const opened =
    (order.status === 'held' && (await writeOpenSession(db, order, attempt.id, session))) ||
    (await storeSession(deps, attempt, session));
  reachStep('payment.opened');
  if (opened.status !== 'awaiting_payment') throw orderClosed(effectiveStatus(opened));
  return opened;
}

/**
 * Returns the order with the attempt that creates its session, which is a new one unless the order
 * has one; null if it has its payment page. If the order has changed since it was read, it is read
 * and decided again.
 */
async function startAttempt(
  deps: PaymentDeps,
  read: OrderRow,
  urls: ReturnUrls,
): Promise<{ order: OrderRow; attempt: PaymentRow | null }> {
  const { db } = deps;
  let order = read;
  for (let turn = 1; turn <= timeouts.confirmAttempts; turn++) {
    const { outcome } = decideConfirm(order);
    if (outcome === 'done') return { order, attempt: null };
    if (outcome !== 'pay') throw orderClosed(effectiveStatus(order));
    if (order.paymentAttempts.some(({ state }) => state === 'creating')) {
      const attempt = await findOpenPayment(db, order.id);
      if (attempt?.state === 'creating') return { order, attempt };
    } else {
      const account = await chooseAccount(deps, order.businessUnitId);
      const started = await insertPayment(db, order, {
        id: randomId('pay'),
        provider: account.name,
        feeAmount: feeOf(account.fee, order.totalAmount, order.currency),
        ...urls,
      });
      if (started) return started;
    }
    order = await reloadOrder(db, order.id);
  }
  throw unavailable(new Error('the order changes all the time'));
}

/**
 * Stores the session of an attempt whose order has changed meanwhile. The session of an order that
 * is not to be paid any more must be expired.
 */
async function storeSession(
  { db }: PaymentDeps,
  { id, orderId }: PaymentRow,
  session: { sessionId: string; url: string },
): Promise<OrderRow> {
  const { order } = await db.transaction((tx) =>
    changeOrder(tx, orderId, async (locked) => {
      const { outcome } = decideConfirm(locked);
      if (outcome === 'done') return;
      await writeSession(tx, id, session, outcome === 'pay' ? 'open' : 'expiring');
      if (outcome === 'pay') await writeStatus(tx, orderId, 'awaiting_payment');
    }),
  );
  return order;
}
