import type { Fulfilment } from '@event-api/contracts/internal/seats';
import type { Tx } from '@event-api/platform/db/database';
import type { Faults } from '@event-api/platform/faults';
import type { Closed } from '../counts.ts';
import { endPayments } from '../payments/queries.ts';
import { oweForSeats, oweSettlement } from '../refunds/owe.ts';
import { lockOrder, writePaid, writeStatus } from './queries.ts';
import { type ClaimOutcome, decideClose } from './rules.ts';

/**
 * Writes what an order becomes now that registration has answered. A seat whose person has registered
 * elsewhere meanwhile was given back: what was paid for it is owed. Answers what was written, null for nothing.
 * Locks: the order.
 */
export async function closeOrder(
  tx: Tx,
  orderId: string,
  answer: { outcome: Exclude<ClaimOutcome, 'fulfilled'> } | Fulfilment,
  readAfter: string | null,
  faults: Faults,
): Promise<Closed | null> {
  const order = await lockOrder(tx, orderId, faults.guardIsOff('order.lock'));
  const decision = decideClose(order, answer.outcome);
  await faults.reach('order.judged');
  if (decision.outcome === 'unchanged') return null;
  // Nobody was ever asked to pay for a free one.
  if (order.totalAmount > 0) await endPayments(tx, orderId);
  if (decision.outcome === 'refund') {
    await oweSettlement(tx, order, decision.cause);
    // It was cancelled, and its money came meanwhile: when it was given up stays to be read.
    if (decision.cause === 'late') await writeStatus(tx, orderId, 'cancelled');
    await writeStatus(tx, orderId, 'refund_due');
    return { status: 'refund_due', lagSeconds: null };
  }
  if (answer.outcome === 'fulfilled') {
    const lagSeconds = await writePaid(tx, orderId, answer, readAfter);
    const isOwedWhole = await oweForSeats(tx, order, answer);
    if (!isOwedWhole) return { status: 'paid', lagSeconds };
    await writeStatus(tx, orderId, 'refund_due');
    return { status: 'refund_due', lagSeconds: null };
  }
  if (decision.status === 'paid') return null;
  await writeStatus(tx, orderId, decision.status);
  return { status: decision.status, lagSeconds: null };
}
