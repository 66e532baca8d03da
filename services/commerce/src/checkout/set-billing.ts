import type { Billing } from '@event-api/contracts/http/billing';
import { recordAudit } from '@event-api/platform/audit/write';
import { unavailable } from '@event-api/platform/core/errors';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database } from '@event-api/platform/db/database';
import { malformed, orderNotBillable, taxWouldChange } from '../errors.ts';
import { checkBilling, decideBilling } from '../orders/billing.rules.ts';
import { changeOrder } from '../orders/change-order.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { effectiveStatus } from '../orders/orders.rules.ts';
import { writeBilling } from '../orders/write.ts';
import { readEventPlace } from './checkout.queries.ts';

/**
 * Replaces the billing of an order that is not paid. The same billing changes nothing, also of a
 * paid order.
 *
 * Errors: 400 for the VAT id; 412 `ORDER_CLOSED`, `TAX_WOULD_CHANGE`. Locks: the order. Reports:
 * `order.updated`.
 */
export async function setBilling(
  { db }: { db: Database },
  orderId: string,
  requested: Billing | null,
): Promise<OrderRow> {
  const checked = checkBilling(requested);
  if (checked.outcome === 'invalid') throw malformed([checked.issue]);
  const { billing } = checked;
  const { order } = await db.transaction((tx) =>
    changeOrder(tx, orderId, async (locked) => {
      const event = await readEventPlace(tx, locked);
      if (!event) throw unavailable(new Error('the event is not known yet'));
      const decision = decideBilling(locked, billing, event);
      reachStep('order.decided');
      if (decision.outcome === 'closed') throw orderNotBillable(effectiveStatus(locked));
      if (decision.outcome === 'other_tax') throw taxWouldChange();
      const isNew = decision.outcome === 'store';
      recordAudit(tx, { records: [orderId], result: isNew ? 'done' : 'unchanged' });
      if (isNew) await writeBilling(tx, orderId, { ...decision, billing });
    }),
  );
  return order;
}
