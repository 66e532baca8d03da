import type { Database } from '@event-api/platform/db/database';
import { changeOrder } from '../orders/change-order.ts';
import { type PaymentRow, writePaymentState } from './payments.queries.ts';

/**
 * Closes an unpaid attempt. Locks: the order. Reports:
 * `order.payment_changed` if its order still showed it as open.
 */
export const storePaymentState = (
  db: Database,
  { id, orderId }: Pick<PaymentRow, 'id' | 'orderId'>,
  state: 'expired' | 'refused',
): Promise<unknown> =>
  db.transaction((tx) => changeOrder(tx, orderId, () => writePaymentState(tx, id, state)));
