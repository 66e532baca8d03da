import type { EventScope } from '@event-api/contracts/internal/scope';
import { recordAudit } from '@event-api/platform/audit/write';
import type { Database } from '@event-api/platform/db/database';
import { changeOrder } from '../orders/change-order.ts';
import { readOrder } from '../orders/orders.queries.ts';
import { withdrawFailedRefunds } from './refunds.queries.ts';

/**
 * Withdraws the refunds of an order that the provider refused, and returns their ids. No money
 * moves: commerce has counted their amount as kept since they failed. Without such refunds it
 * changes nothing. Errors: 404. Locks: the order. Reports: the change of the order, if there is
 * one.
 */
export async function withdrawFailed(
  db: Database,
  scope: EventScope,
  { orderId, reason }: { orderId: string; reason: string },
): Promise<string[]> {
  const { id } = await readOrder(db, scope, orderId);
  const { result } = await db.transaction((tx) =>
    changeOrder(tx, id, async () => {
      const withdrawn = await withdrawFailedRefunds(tx, id, scope.businessUnitId);
      const result = withdrawn.length > 0 ? 'done' : 'unchanged';
      recordAudit(tx, { records: [id, ...withdrawn], reason, result });
      return withdrawn;
    }),
  );
  return result;
}
