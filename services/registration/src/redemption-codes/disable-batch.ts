import type { EventScope } from '@event-api/contracts/internal/scope';
import { referenceNotFound } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import { nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import { codeDisabled } from '../changes/code-changes.ts';
import { lockEvent } from '../seats/lock-event.ts';
import { type BatchRow, readBatch } from './list-batches.ts';

const disable = statement<{ id: string; version: number }>(
  'code_batch_disable',
  `update registration.redemption_code c set status = 'disabled', version = ${nextVersionSql}
   where c.business_unit_id = $1 and c.event_id = $2 and c.batch_id = $3 and c.status = 'active'
   returning c.id, c.version`,
);

/**
 * Disables all active codes of a batch permanently, all of them or none. A repeated call changes
 * nothing.
 *
 * Locks: the event's row of `event_lock`, as for a single code, so no use is possible after this
 * returns. Errors: 404. Reports: `redemption_code.disabled` for each code, once.
 */
export async function disableBatch(
  db: Database,
  scope: EventScope,
  batchId: string,
): Promise<BatchRow> {
  const { active, ...batch } = await readBatch(db, scope, batchId);
  if (active === 0) return { ...batch, active };
  return db.transaction(async (tx) => {
    if (!(await lockEvent(tx, scope))) throw referenceNotFound('batchId');
    const { businessUnitId, eventId } = scope;
    const disabled = await tx.query(disable, [businessUnitId, eventId, batchId]);
    const after = await readBatch(tx, scope, batchId);
    if (disabled.length > 0) {
      writeChanges(
        tx,
        disabled.map((code) => codeDisabled({ ...scope, ...code })),
      );
    }
    return after;
  });
}
