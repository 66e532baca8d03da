import { randomId } from '@event-api/platform/core/ids';
import type { Db } from '@event-api/platform/db/database';
import type { PaymentNotification } from '../payments/providers/provider.ts';
import { insertSettlement, type SettlementRow } from './settlements.queries.ts';

/**
 * Records a payment that a provider reports. Returns its settlement, or null for a payment that is
 * already recorded and for a session that has expired. The caller applies the settlement.
 */
export async function recordSettlement(
  db: Db,
  provider: string,
  notification: PaymentNotification,
): Promise<SettlementRow | null> {
  const { payment } = notification;
  if (notification.kind !== 'paid' || !payment) return null;
  const settlement = {
    id: randomId('stl'),
    provider,
    providerPaymentId: payment.paymentId,
    sessionId: notification.sessionId,
    attemptId: notification.attemptId,
    notifiedOrderId: notification.orderId,
    amount: payment.amount,
    currency: payment.currency,
    livemode: notification.livemode,
  };
  const { notificationId: providerNotificationId } = notification;
  const isNew = await insertSettlement(db, { ...settlement, providerNotificationId });
  return isNew ? { ...settlement, feeAmount: 0, state: 'received' } : null;
}
