import { type Logger, reasonsOf } from '@event-api/platform/log';
import type { Counts } from '../counts.ts';
import { endPayment } from './end.ts';
import type { PaymentDeps } from './open.ts';
import { findUnendedPayments, type PaymentRow } from './queries.ts';

/** How long a cancellation or the end of a hold waits for the payment provider. */
export const providerTimeoutMs = 1000;

/**
 * Ends the payment session of an order and waits at most a second for the provider. Without a response the session
 * stays marked as live: the call continues in the background, and the repeat job ends the session later. What was
 * paid meanwhile is recorded as a settlement in either case.
 */
export async function endPaymentsOfOrder(
  deps: PaymentDeps & { log: Logger; counts: Counts },
  orderId: string,
  timeoutMs = providerTimeoutMs,
): Promise<void> {
  const payments = await findUnendedPayments(deps.db, orderId);
  await Promise.all(payments.map((payment) => endOrLog(deps, payment, timeoutMs)));
}

async function endOrLog(
  deps: PaymentDeps & { log: Logger; counts: Counts },
  payment: PaymentRow,
  timeoutMs: number,
): Promise<void> {
  const { log, counts } = deps;
  const failed = (reason: string): 'no_response' => {
    const about = { paymentId: payment.id, orderId: payment.orderId, reason };
    log.warn(about, 'failed to end payment session, will retry');
    return 'no_response';
  };
  const ending = endPayment(deps, payment).catch((error: unknown) => failed(reasonsOf(error)));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'late');
  });
  const outcome = await Promise.race([ending, late]).finally(() => clearTimeout(timer));
  counts.sessionEnded(outcome === 'late' ? failed(`no response within ${timeoutMs} ms`) : outcome);
}
