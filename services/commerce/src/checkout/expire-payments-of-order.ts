import { withTimeout } from '@event-api/platform/core/deadline';
import { safeMessageWithCauses } from '@event-api/platform/core/error-reason';
import type { Logger } from '@event-api/platform/core/log';
import type { CommerceMetrics } from '../metrics.ts';
import { findUnexpiredPayments, type PaymentRow } from '../payments/payments.queries.ts';
import type { PaymentDeps } from '../payments/session-input.ts';
import { expirePayment } from '../settlements/expire-payment.ts';
import { timeouts } from '../timeouts.ts';

/**
 * Expires the payment sessions of an order and waits at most a second for the provider. Without a
 * response the call continues in the background, and the sweep expires the session later. In
 * either case a payment is recorded as a settlement.
 */
export async function expirePaymentsOfOrder(
  deps: PaymentDeps & { log: Logger; metrics: CommerceMetrics },
  orderId: string,
  timeoutMs = timeouts.expirePaymentMs,
): Promise<void> {
  const payments = await findUnexpiredPayments(deps.db, orderId);
  await Promise.all(payments.map((payment) => expireOrLog(deps, payment, timeoutMs)));
}

async function expireOrLog(
  deps: PaymentDeps & { log: Logger; metrics: CommerceMetrics },
  payment: PaymentRow,
  timeoutMs: number,
): Promise<void> {
  const { log, metrics } = deps;
  const failed = (reason: string): 'no_response' => {
    const about = { paymentId: payment.id, orderId: payment.orderId, reason };
    log.warn(about, 'failed to end payment session, will retry');
    return 'no_response';
  };
  const expiry = expirePayment(deps, payment).catch((error: unknown) =>
    failed(safeMessageWithCauses(error)),
  );
  const ended = await withTimeout(expiry, timeoutMs);
  metrics.sessionExpired(
    ended.outcome === 'late' ? failed(`no response within ${timeoutMs} ms`) : ended.value,
  );
}
