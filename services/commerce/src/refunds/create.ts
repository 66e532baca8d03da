import type { RefundCause } from '@event-api/contracts/operator/refunds';
import { randomId } from '@event-api/platform/core/ids';
import type { Tx } from '@event-api/platform/db/database';
import type { OrderRow } from '../orders/orders.queries.ts';
import { readSettlement } from '../settlements/settlements.queries.ts';
import { isHeldBack } from './held-back.ts';
import { findRefundsOfOrder, insertRefund, type RefundedSeats } from './refunds.queries.ts';
import { refundPolicyCause, type SeatRefund } from './refunds.rules.ts';
import { splitRefund } from './split.rules.ts';
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
  await createParts(tx, order, { amount, state: 'due', cause: attendeeRegistered });
}

/**
 * Creates what the policy of an order pays back for a cancelled seat, or without a registration for
 * units of an add-on: one refund of each payment that returns a part, as `splitRefund` divides it.
 * Returns the ids of those that are to be sent. The registration is revoked before the money is sent.
 * A part is due while an open dispute holds the money of its payment, and sent after the delay of the
 * unit.
 */
export async function createPolicyRefund(
  tx: Tx,
  order: OrderRow,
  seat: { registrationId: string | null; amount: number; state: 'due' | 'pending' },
): Promise<string[]> {
  const { registrationId } = seat;
  const seats = registrationId === null ? undefined : { ids: [registrationId], isRevoked: true };
  return createParts(tx, order, { ...seat, cause: refundPolicyCause, seats });
}

/**
 * Creates one refund of each payment that returns a part of an amount. Returns the ids of those that
 * are to be sent: those of a `pending` one, unless an open dispute holds the money of their payment.
 */
export async function createParts(
  tx: Tx,
  order: OrderRow,
  refund: {
    amount: number;
    state: 'due' | 'pending';
    cause: RefundCause;
    seats?: RefundedSeats | undefined;
  },
): Promise<string[]> {
  // Most orders are fulfilled without a refund: they need no read.
  if (refund.amount === 0) return [];
  const { id: orderId, businessUnitId, eventId, currency } = order;
  const { cause } = refund;
  const sentIds: string[] = [];
  const parts = splitRefund(order, await findRefundsOfOrder(tx, orderId), refund.amount);
  for (const { settlementId, amount } of parts) {
    const id = randomId('rfd');
    const isHeld =
      refund.state === 'pending' && (await isHeldBack(tx, order, settlementId, amount));
    const isSent = refund.state === 'pending' && !isHeld;
    const state = isSent ? 'pending' : 'due';
    const part = {
      id,
      businessUnitId,
      eventId,
      orderId,
      settlementId,
      amount,
      currency,
      state,
    } as const;
    await insertRefund(
      tx,
      { ...part, cause, reason: null, isHeldBack: isHeld },
      null,
      refund.seats,
    );
    if (isSent) sentIds.push(id);
  }
  return sentIds;
}
