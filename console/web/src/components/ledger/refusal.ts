import type { FoundOrder } from '../../api/records.ts';
import { formatMoney } from '../../format/money.ts';
import { ordersText } from '../../text/orders.ts';
import { refusedBy } from './refund.rules.ts';

/** What to say about a request of which the provider has refused a refund; null if it has not. */
export function refusalOf(order: FoundOrder, after: FoundOrder['refunds']): string | null {
  const refused = refusedBy(order.refunds, after);
  const [first] = refused;
  if (!first) return null;
  const amount = refused.reduce((sum, each) => sum + each.amount, 0);
  return ordersText.refused(formatMoney(amount, order.currency), first.failure);
}
