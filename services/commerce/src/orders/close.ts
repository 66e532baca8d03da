import type { Fulfilment } from '@event-api/contracts/internal/seats';
import type { Tx } from '@event-api/platform/db/database';
import type { Faults } from '@event-api/platform/faults';
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
  faults: Faults,
): Promise<void> {
  const order = await lockOrder(tx, orderId, faults.guardIsOff('order.lock'));
  const decision = decideClose(order, answer.outcome);
  await faults.reach('order.judged');
  if (decision.outcome === 'unchanged') return;
  await endPayments(tx, orderId);
  if (decision.outcome === 'refund') {
    await oweSettlement(tx, order, 'gone');
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
