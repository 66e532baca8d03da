import { randomId } from '@event-api/platform/core/ids';
import type { Db } from '@event-api/platform/db/database';
import type { PaymentNotification } from '../payments/providers/provider.ts';
import { insertSettlement } from './settlements.queries.ts';

/**
 * Records a payment that a provider reports, once per payment, before the notification is
 * acknowledged.
 */
export async function recordSettlement(
  db: Db,
  provider: string,
  notification: PaymentNotification,
): Promise<void> {
  const { payment } = notification;
  if (notification.kind !== 'paid' || !payment) return;
  await insertSettlement(db, {
    id: randomId('stl'),
    provider,
    providerNotificationId: notification.notificationId,
    providerPaymentId: payment.paymentId,
    sessionId: notification.sessionId,
    attemptId: notification.attemptId,
    notifiedOrderId: notification.orderId,
    amount: payment.amount,
    currency: payment.currency,
    livemode: notification.livemode,
  });
}
