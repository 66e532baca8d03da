import type { Fulfilment } from '@event-api/contracts/internal/seats';
import type { Tx } from '@event-api/platform/db/database';
import { endPayments } from '../payments/queries.ts';
import { oweForSeats, oweSettlement } from '../refunds/owe.ts';
import { lockOrder, writePaid, writeStatus } from './queries.ts';
import { type ClaimOutcome, decideClose } from './rules.ts';

/**
 * Writes what an order becomes now that registration has answered. A seat whose person has registered
 * elsewhere meanwhile was given back: what was paid for it is owed.
 * Locks: the order.
 */
export async function closeOrder(
  tx: Tx,
  orderId: string,
  answer: { outcome: Exclude<ClaimOutcome, 'fulfilled'> } | Fulfilment,
  readAfter: string | null,
): Promise<void> {
  const order = await lockOrder(tx, orderId);
  const decision = decideClose(order, answer.outcome);
  if (decision.outcome === 'unchanged') return;
  // Nobody was ever asked to pay for a free one.
  if (order.totalAmount > 0) await endPayments(tx, orderId);
  if (decision.outcome === 'refund') {
    await oweSettlement(tx, order, decision.cause);
    // It was cancelled, and its money came meanwhile: when it was given up stays to be read.
    if (decision.cause === 'late') await writeStatus(tx, orderId, 'cancelled');
    await writeStatus(tx, orderId, 'refund_due');
  } else if (answer.outcome === 'fulfilled') {
    await writePaid(
      tx,
      orderId,
      answer.seats.map(({ registrationId }) => registrationId),
      readAfter,
    );
    const isOwedWhole = await oweForSeats(tx, order, answer);
    if (isOwedWhole) await writeStatus(tx, orderId, 'refund_due');
  } else if (decision.status !== 'paid') {
    await writeStatus(tx, orderId, decision.status);
  }
}
