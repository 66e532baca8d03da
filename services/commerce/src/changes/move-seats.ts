import {
  changeSeatTypes,
  type SeatTypesResult,
  type TypeRefusal,
} from '@event-api/contracts/internal/reservations';
import { recordAudit } from '@event-api/platform/audit/write';
import { unavailable } from '@event-api/platform/core/errors';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { changeOrder } from '../orders/change-order.ts';
import { type OrderRow, reloadOrder } from '../orders/orders.queries.ts';
import { writeSeatAmounts } from '../refunds/cancelled-seats.queries.ts';
import { createRefund } from '../refunds/create.ts';
import type { RefundDeps } from '../refunds/send.ts';
import { readSettlement } from '../settlements/settlements.queries.ts';
import { effectOf } from './effect.rules.ts';
import { countsOf } from './limits.rules.ts';
import { decideMoving } from './moving.rules.ts';
import {
  endRefusedQuote,
  findOrderChange,
  markChangePaid,
  type OrderChangeRow,
  writeChangeState,
} from './order-changes.queries.ts';
import { recordsOf, refundSeat, storeChange } from './store-change.ts';

export type MoveResult =
  | { outcome: 'moved'; change: OrderChangeRow }
  /** Nothing has happened, and the quote has ended. */
  | { outcome: 'refused'; refusal: TypeRefusal };

/**
 * Has registration give the seats of a change in `moving` their ticket types, and then stores all
 * that was quoted, or that nothing happens and the payment of the change is due. Registration
 * decides once, so a repeated run stores the same. Meanwhile the money of the order waits: what was
 * quoted is still right. Seats that a paid order has lost in a restore are decided when it has them
 * again; an order that does not get them ends its quote.
 *
 * Errors: 503, and the change stays `moving`. Locks: the order, but not during the call. Reports:
 * `order.refund_changed` or `order.updated`.
 */
export async function moveSeats(
  { db, registration }: RefundDeps,
  change: OrderChangeRow,
): Promise<MoveResult> {
  const { businessUnitId, eventId, orderId, id: changeId } = change;
  const order = await reloadOrder(db, orderId);
  const { types } = effectOf(order, change);
  const result = await registration.call(changeSeatTypes, {
    ...{ businessUnitId, eventId, orderId, changeId },
    seats: types.map(({ registrationId: holderId, to }) => ({ holderId, ...to })),
    counts: countsOf(order, change.request),
  });
  reachStep('order_change.responded');
  const { result: stored } = await db.transaction((tx) =>
    changeOrder(tx, orderId, (locked) => store(tx, locked, changeId, result)),
  );
  reachStep('order_change.stored');
  return stored;
}

async function store(
  tx: Tx,
  order: OrderRow,
  changeId: string,
  result: SeatTypesResult,
): Promise<MoveResult> {
  const change = await findOrderChange(tx, order.id, changeId);
  if (!change) throw new Error('quote not found');
  const refusal: TypeRefusal =
    result.outcome === 'refused' ? result : { outcome: 'refused', reason: 'CLOSED' };
  switch (decideMoving(order, change, result.outcome)) {
    case 'wait':
      throw unavailable(new Error('registration does not have the order'));
    case 'stored':
      return { outcome: 'moved', change };
    case 'ended':
      return { outcome: 'refused', refusal };
    case 'end':
      await endRefusedQuote(tx, changeId);
      await refundPayment(tx, order, change);
      return { outcome: 'refused', refusal };
    case 'store':
      return storeMoved(tx, order, change);
  }
}

/** The payment of a change that does not happen is due to the buyer. */
async function refundPayment(
  tx: Tx,
  order: OrderRow,
  { settlementId }: OrderChangeRow,
): Promise<void> {
  if (settlementId === null) return;
  const settlement = await readSettlement(tx, settlementId);
  await createRefund(tx, order, settlement, settlement.amount, 'late');
}

async function storeMoved(tx: Tx, order: OrderRow, change: OrderChangeRow): Promise<MoveResult> {
  const cancelledAt = change.executedAt ?? change.expiresAt;
  const effect = effectOf(order, change);
  const known = await storeChange(tx, order, effect, cancelledAt);
  // The sweep waits for the change: it has not decided about seats that were cancelled elsewhere. It
  // does not wait for one that is marked as done.
  for (const seat of change.state === 'moving' ? known : []) {
    await writeSeatAmounts(tx, seat.registrationId, seat);
    await refundSeat(tx, order, seat);
  }
  recordAudit(tx, { records: recordsOf(order, effect) });
  await markChangePaid(tx, change.id);
  await writeChangeState(tx, change.id, 'executing');
  return { outcome: 'moved', change: { ...change, state: 'executing' } };
}
