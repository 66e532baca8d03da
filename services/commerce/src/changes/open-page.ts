import { holdSeatTypes } from '@event-api/contracts/internal/reservations';
import { unavailable } from '@event-api/platform/core/errors';
import { randomId } from '@event-api/platform/core/ids';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { paymentUnavailable, quoteExpired } from '../errors.ts';
import { changeOrder } from '../orders/change-order.ts';
import { type OrderRow, reloadOrder } from '../orders/orders.queries.ts';
import { chooseAccount, providerOf } from '../payments/accounts/provider-of.ts';
import { feeOf } from '../payments/fees/fees.rules.ts';
import {
  findPaymentsOfChange,
  insertPaymentOfChange,
  type PaymentRow,
  writeSession,
} from '../payments/payments.queries.ts';
import { type ReturnUrls, sessionInput } from '../payments/session-input.ts';
import { storePaymentState } from '../payments/store-state.ts';
import type { RefundDeps } from '../refunds/send.ts';
import { effectOf } from './effect.rules.ts';
import { endAwaiting } from './end-unpaid.ts';
import { countsOf } from './limits.rules.ts';
import { findOrderChange, type OrderChangeRow, writeHeldUntil } from './order-changes.queries.ts';
import { typeRefused } from './refusals.ts';

/**
 * Holds the seats of a change that awaits its payment, opens its payment page, and returns the change
 * with the page. Registration decides about the seats: if it refuses, the change ends and nothing has
 * happened. The attempt is stored before the provider is called, and a retry uses the same one.
 *
 * Errors: 412 as registration refuses, `QUOTE_EXPIRED` for a change that has ended meanwhile,
 * `PAYMENT_UNAVAILABLE`, `PAYMENT_ACCOUNT_MISSING`; 503 if registration or the provider is unavailable,
 * and the change stays. Locks: the order, but not during a call to another party.
 */
export async function openPageOfChange(
  deps: RefundDeps,
  change: OrderChangeRow,
  urls: ReturnUrls,
): Promise<{ change: OrderChangeRow; paymentUrl: string | null }> {
  const { db } = deps;
  const { orderId } = change;
  const [live] = await findPaymentsOfChange(db, orderId, change.id);
  if (live?.state === 'open') return { change, paymentUrl: live.url };
  const heldUntil = await holdSeats(deps, change);
  reachStep('order_change.held');
  const attempt = await startAttempt(deps, change, { urls, heldUntil });
  reachStep('order_change.attempted');
  const provider = await providerOf(deps, attempt.provider);
  const session = await provider.createSession(sessionInput(attempt));
  reachStep('order_change.page_created');
  if (session.outcome !== 'created') {
    await storePaymentState(db, attempt, 'refused');
    if (session.outcome !== 'refused') {
      throw unavailable(new Error('payment attempt conflicts with an earlier one'));
    }
    await endAwaiting(deps, change);
    throw paymentUnavailable();
  }
  const { result: present } = await db.transaction((tx) =>
    changeOrder(tx, orderId, async () => {
      const stored = await findOrderChange(tx, orderId, change.id);
      const isAwaited = stored?.state === 'awaiting_payment';
      await writeSession(tx, attempt.id, session, isAwaited ? 'open' : 'expiring');
      return stored;
    }),
  );
  reachStep('order_change.page_opened');
  if (!present || present.state === 'quoted') throw quoteExpired();
  return { change: present, paymentUrl: session.url };
}

/** Until when registration holds the seats. */
async function holdSeats(deps: RefundDeps, change: OrderChangeRow): Promise<string> {
  const { businessUnitId, eventId, orderId, id: changeId, request } = change;
  const order = await reloadOrder(deps.db, orderId);
  const { types } = effectOf(order, change);
  const result = await deps.registration.call(holdSeatTypes, {
    ...{ businessUnitId, eventId, orderId, changeId },
    seats: types.map(({ registrationId: holderId, to }) => ({ holderId, ...to })),
    counts: countsOf(order, request),
  });
  if (result.outcome === 'held') return result.expiresAt;
  if (result.outcome === 'unknown') {
    throw unavailable(new Error('registration does not have the order'));
  }
  await endAwaiting(deps, change);
  throw typeRefused(result, request);
}

/** The attempt that creates the session of a change, which is a new one unless it has one. */
async function startAttempt(
  deps: RefundDeps,
  change: OrderChangeRow,
  { urls, heldUntil }: { urls: ReturnUrls; heldUntil: string },
): Promise<PaymentRow> {
  const { db } = deps;
  const account = await chooseAccount(deps, change.businessUnitId);
  const start = async (tx: Tx, order: OrderRow): Promise<PaymentRow> => {
    const present = await findOrderChange(tx, order.id, change.id);
    if (present?.state !== 'awaiting_payment') throw quoteExpired();
    await writeHeldUntil(tx, change.id, heldUntil);
    const [live] = await findPaymentsOfChange(tx, order.id, change.id);
    if (live) return live;
    const { id: orderId, businessUnitId, eventId, currency } = order;
    const amount = change.quote.amountToPay;
    const feeAmount = feeOf(account.fee, amount, currency);
    await insertPaymentOfChange(tx, {
      ...{ id: randomId('pay'), businessUnitId, eventId, orderId, changeId: change.id },
      ...{ provider: account.name, amount, feeAmount, currency, ...urls },
    });
    const [started] = await findPaymentsOfChange(tx, order.id, change.id);
    if (!started) throw new Error('payment of a change not found');
    return started;
  };
  const { result } = await db.transaction((tx) =>
    changeOrder(tx, change.orderId, (order) => start(tx, order)),
  );
  return result;
}
