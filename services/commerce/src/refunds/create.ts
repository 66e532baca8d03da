import type { RefundCause } from '@event-api/contracts/operator/refunds';
import { randomId } from '@event-api/platform/core/ids';
import type { Tx } from '@event-api/platform/db/database';
import type { OrderRow } from '../orders/orders.queries.ts';
import { readSettlement } from '../settlements/settlements.queries.ts';
import { isHeldBack } from './held-back.ts';
import { insertRefund } from './refunds.queries.ts';
import { refundPolicyCause, type SeatRefund } from './refunds.rules.ts';
import { attendeeRegistered } from './withdrawal.rules.ts';

/** Creates a due refund of a settlement. Call it in the transaction that decides the refund. */
export async function createRefund(
  tx: Tx,
  order: OrderRow,
  settlement: { id: string; currency: string },
  amount: number,
  cause: RefundCause,
): Promise<void> {
  await insertRefund(tx, {
    id: randomId('rfd'),
    businessUnitId: order.businessUnitId,
    eventId: order.eventId,
    orderId: order.id,
    settlementId: settlement.id,
    amount,
    currency: settlement.currency,
    state: 'due',
    cause,
    reason: null,
  });
}

/** Refunds the whole settlement of an order that cannot be fulfilled. */
export async function refundSettlement(tx: Tx, order: OrderRow, cause: RefundCause): Promise<void> {
  if (order.settlementId === null) return;
  const settlement = await readSettlement(tx, order.settlementId);
  await createRefund(tx, order, settlement, settlement.amount, cause);
}

/** Refunds the seats of an order that were not created. */
export async function refundUnfulfilledSeats(
  tx: Tx,
  order: OrderRow,
  { amount }: SeatRefund,
): Promise<void> {
  if (order.settlementId === null || amount === 0) return;
  const settlement = await readSettlement(tx, order.settlementId);
  await createRefund(tx, order, settlement, amount, attendeeRegistered);
}

/**
 * Creates the refund that the policy of an order promises for a cancelled seat, or without a
 * registration for units of an add-on, and returns its id. The registration is revoked before the
 * money is sent. It is due while an open dispute holds the money, and sent after the delay of the unit.
 */
export async function createPolicyRefund(
  tx: Tx,
  order: OrderRow,
  settlement: { id: string; currency: string },
  seat: { registrationId: string | null; amount: number; state: 'due' | 'pending' },
): Promise<string> {
  const id = randomId('rfd');
  const { id: orderId, businessUnitId, eventId } = order;
  const { amount, registrationId } = seat;
  const { id: settlementId, currency } = settlement;
  const isHeld = seat.state === 'pending' && (await isHeldBack(tx, order, settlementId, amount));
  const state = isHeld ? 'due' : seat.state;
  await insertRefund(
    tx,
    {
      ...{ id, businessUnitId, eventId, orderId, settlementId, amount, currency, state },
      ...{ cause: refundPolicyCause, reason: null, isHeldBack: isHeld },
    },
    null,
    registrationId === null ? undefined : { ids: [registrationId], isRevoked: true },
  );
  return id;
}
