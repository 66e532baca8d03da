import type { EventScope } from '@event-api/contracts/internal/scope';
import { recordAudit } from '@event-api/platform/audit/write';
import type { Database } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { changeOrder } from './change-order.ts';
import { type OrderRow, readOrder } from './orders.queries.ts';

// Registration knows the buyer by the email of the purchase.
const setBuyer = statement(
  'order_set_buyer',
  `update commerce.customer_order set ordered_email = coalesce(ordered_email, email), email = $2, name = $3
   where id = $1`,
);

/**
 * Corrects the email or the name of a buyer; undefined keeps a value. What the order has already
 * changes nothing. Errors: 404. Locks: the order. Reports: `order.updated`.
 */
export async function updateBuyer(
  db: Database,
  scope: EventScope,
  {
    orderId,
    ...changes
  }: { orderId: string; email?: string | undefined; name?: string | null | undefined },
): Promise<OrderRow> {
  const { id } = await readOrder(db, scope, orderId);
  const { order } = await db.transaction((tx) =>
    changeOrder(tx, id, async (before) => {
      const { email = before.email, name = before.name } = changes;
      const isSame = email === before.email && name === before.name;
      recordAudit(tx, { records: [id], result: isSame ? 'unchanged' : 'done' });
      if (!isSame) await tx.query(setBuyer, [id, email, name]);
    }),
  );
  return order;
}
