import type { setRefundPolicy as setRefundPolicyOperation } from '@event-api/contracts/operator/refund-policies';
import { recordAudit } from '@event-api/platform/audit/write';
import type { Database } from '@event-api/platform/db/database';
import type { z } from 'zod';
import { archivedIsFinal } from '../errors.ts';
import { lockEvent } from '../events/events.queries.ts';
import { type RefundPolicyRow, readRefundPolicy } from './refund-policies.queries.ts';
import { decideRefundPolicy } from './refund-policies.rules.ts';
import { RefundPolicy } from './refund-policy.entity.ts';

/**
 * Sets the refund policy of an event. Setting an identical policy writes nothing. Errors: 404; 400
 * for any change in an archived event. Locks: the event's row.
 */
export async function setRefundPolicy(
  db: Database,
  input: z.output<typeof setRefundPolicyOperation.schema.body>,
): Promise<RefundPolicyRow> {
  const { text, refundableUntil, ...scope } = input;
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'write');
    const current = await readRefundPolicy(tx, scope);
    const next = { text, refundableUntil };
    const { outcome } = decideRefundPolicy(current, next, event.status === 'archived');
    if (outcome === 'event_archived') throw archivedIsFinal();
    if (outcome === 'replaced') {
      await tx.em.upsert(RefundPolicy, { ...scope, ...next });
      recordAudit(tx);
    }
    return next;
  });
}
