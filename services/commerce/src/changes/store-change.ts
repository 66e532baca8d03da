import type { Tx } from '@event-api/platform/db/database';
import type { OrderRow } from '../orders/orders.queries.ts';
import { writeChangedParts } from '../orders/write.ts';
import { insertDecidedSeats } from '../refunds/cancelled-seats.queries.ts';
import { createPolicyRefund } from '../refunds/create.ts';
import { afterChange, type QuotedChange, type QuotedSeat } from './effect.rules.ts';

/**
 * Stores what a change does to an order and the refunds that it promises. Returns its cancelled
 * seats whose cancellation was stored before: nothing is stored about their money. Call it under the
 * lock of the order.
 */
export async function storeChange(
  tx: Tx,
  order: OrderRow,
  change: QuotedChange,
  cancelledAt: Date,
): Promise<QuotedSeat[]> {
  await writeChangedParts(tx, order.id, afterChange(order, change));
  for (const { refundAmount: amount, refundState: state } of [...change.types, ...change.units]) {
    if (state) await createPolicyRefund(tx, order, { registrationId: null, amount, state });
  }
  return storeSeats(tx, order, change.seats, cancelledAt);
}

/** The order and the registrations that a change is about, for the audit log. */
export const recordsOf = ({ id }: OrderRow, { seats, types }: QuotedChange): string[] => [
  id,
  ...[...seats, ...types].map(({ registrationId }) => registrationId),
];

/** Stores what is paid back for each seat, as the sweep does for a seat that is cancelled elsewhere. */
async function storeSeats(
  tx: Tx,
  order: OrderRow,
  seats: readonly QuotedSeat[],
  cancelledAt: Date,
): Promise<QuotedSeat[]> {
  const hasBands = (order.refundPolicy?.bands.length ?? 0) > 0;
  if (order.payments.length === 0 || !hasBands) return [];
  const inserted = await insertDecidedSeats(tx, order, seats, cancelledAt);
  const isNew = ({ registrationId }: QuotedSeat) => inserted.includes(registrationId);
  for (const seat of seats.filter(isNew)) await refundSeat(tx, order, seat);
  return seats.filter((seat) => !isNew(seat));
}

/** Creates the refund of a cancelled seat, if it has any. */
export async function refundSeat(
  tx: Tx,
  order: OrderRow,
  { registrationId, refundAmount: amount, refundState: state }: QuotedSeat,
): Promise<void> {
  if (state) await createPolicyRefund(tx, order, { registrationId, amount, state });
}
