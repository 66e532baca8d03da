import { newAuditedRequest } from '@event-api/platform/audit/audited-request';
import { recordAudit } from '@event-api/platform/audit/write';
import { currentActor } from '@event-api/platform/core/actor';
import { randomId } from '@event-api/platform/core/ids';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { changeOrder } from '../orders/change-order.ts';
import { startDueRefund } from './refund-delay.queries.ts';
import { findRefundsOfOrder, type RefundRow } from './refunds.queries.ts';
import { type RefundDeps, sendRefund } from './send.ts';

type DueRefund = Pick<RefundRow, 'id' | 'orderId' | 'businessUnitId' | 'eventId'>;

/**
 * Sends a due refund without an operator, unless it is not due any more, and records that in the
 * audit log. The refund is stored as `pending` before the provider is called: the sweep completes it.
 * Errors: 503 if registration or the provider is unavailable, and the refund stays pending. Locks:
 * the order, but not during a call to the provider. Reports: the changes of `sendRefund`.
 */
export async function sendDueRefund(deps: RefundDeps, due: DueRefund): Promise<void> {
  const { db } = deps;
  const { id, orderId } = due;
  const { result: isStarted } = await db.transaction((tx) =>
    changeOrder(tx, orderId, async () => {
      const started = await startDueRefund(tx, id);
      if (started) recordSent(tx, due);
      return started;
    }),
  );
  reachStep('due_refund.started');
  if (!isStarted) return;
  const refunds = await findRefundsOfOrder(db, orderId);
  const refund = refunds.find((each) => each.id === id && each.state === 'pending');
  if (refund) await sendRefund(deps, refund);
}

/** The entry of the audit log, as if the job had run `order.refund`. */
function recordSent(tx: Tx, { id, orderId, businessUnitId, eventId }: DueRefund): void {
  const audited = newAuditedRequest({
    ...{ operation: 'order.refund', actor: currentActor(), requestId: randomId('req') },
    ...{ businessUnitId, eventId, records: [orderId, id], reason: 'It was due' },
  });
  recordAudit(tx, { audited });
}
