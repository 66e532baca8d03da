import type { RefundDelay } from '@event-api/contracts/operator/refunds';
import { recordAudit } from '@event-api/platform/audit/write';
import type { Database } from '@event-api/platform/db/database';
import { readRefundDelay, writeRefundDelay } from './refund-delay.queries.ts';

/**
 * Sets how long refunds of a business unit are due before the platform sends them. Refunds that are
 * due keep their time; none is sent while it is null. Reports: nothing, because no order changes.
 */
export async function setRefundDelay(db: Database, delay: RefundDelay): Promise<RefundDelay> {
  await db.transaction(async (tx) => {
    const isChanged = await writeRefundDelay(tx, delay);
    recordAudit(tx, { records: [delay.businessUnitId], result: isChanged ? 'done' : 'unchanged' });
  });
  return readRefundDelay(db, delay.businessUnitId);
}
