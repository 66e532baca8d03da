import type { PlacedOrder } from '@event-api/contracts/http/checkout';
import { CancelledSeat, Order, OrderLine } from '@event-api/contracts/http/orders';
import { isSeatId } from '@event-api/contracts/seat-ids';
import { viewOf } from '@event-api/platform/http/record-view';
import type { z } from 'zod';
import { cancelledAddonsOf } from './cancelled-addons.rules.ts';
import { takesMoney } from './disputed-money.rules.ts';
import { cancelledQuantityOf } from './lines.rules.ts';
import { orderSeatsOf } from './order-seats.rules.ts';
import { cancelledSeat, type OrderRow, orderColumns, orderLine } from './orders.queries.ts';
import { effectiveStatus } from './orders.rules.ts';
import { attemptStatus } from './payment-attempts.rules.ts';

const storedView = viewOf(
  Order.omit({
    status: true,
    netAmount: true,
    grossAmount: true,
    items: true,
    registrationIds: true,
    registrations: true,
    seats: true,
    changesAmount: true,
    refundDueAmount: true,
    disputedAmount: true,
    disputes: true,
    holdExpiresAt: true,
    paymentUrl: true,
    paymentAttempts: true,
    cancelledSeats: true,
    cancelledAddons: true,
  }),
  orderColumns,
);
const lineView = viewOf(
  OrderLine.omit({ cancelledQuantity: true, netAmount: true, grossAmount: true }),
  orderLine,
);
const cancelledSeatView = viewOf(CancelledSeat, cancelledSeat);

/** An order as the API returns it. */
export function orderView(row: OrderRow): z.input<typeof Order> {
  const status = effectiveStatus(row);
  const isOpen = status === 'held' || status === 'awaiting_payment';
  const registrationIds = registrationIdsOf(row);
  return {
    ...storedView(row),
    ...netAndGross(row),
    status,
    items: row.lines.map((line, n) => ({
      ...lineView({ ...line, registrationIds: withoutSeats(line.registrationIds) }),
      ...netAndGross(line),
      cancelledQuantity: cancelledQuantityOf(row.cancelledAddons, n),
    })),
    registrationIds,
    registrations: registrationIds.map((id) => ({
      id,
      status: row.registrationStatuses[id] ?? null,
    })),
    seats: orderSeatsOf({ ...row, status }),
    changesAmount: row.payments
      .filter(({ id }) => id !== row.settlementId)
      .reduce((sum, { amount }) => sum + amount, 0),
    refundDueAmount: row.refundsDue.find(({ currency }) => currency === row.currency)?.amount ?? 0,
    disputedAmount: disputedAmountOf(row),
    disputes: row.disputes.map(({ respondBy, createdAt, settlementId: _, ...dispute }) => ({
      ...dispute,
      respondBy: respondBy === null ? null : new Date(respondBy).toISOString(),
      createdAt: new Date(createdAt).toISOString(),
    })),
    cancelledSeats: row.cancelledSeats.map((seat) =>
      cancelledSeatView({ ...seat, cancelledAt: new Date(seat.cancelledAt).toISOString() }),
    ),
    cancelledAddons: cancelledAddonsOf(row.addonChanges),
    holdExpiresAt: isOpen ? row.holdExpiresAt.toISOString() : null,
    paymentUrl: status === 'awaiting_payment' ? row.paymentUrl : null,
    paymentAttempts: row.paymentAttempts.map(({ at, state }) => ({
      at: new Date(at).toISOString(),
      status: attemptStatus(state, isOpen),
    })),
  };
}

/** What disputes have taken and not returned, in the currency of the order. */
const disputedAmountOf = ({ currency, disputes }: OrderRow): number =>
  disputes
    .filter((dispute) => dispute.currency === currency && takesMoney(dispute.status))
    .reduce((sum, { amount }) => sum + amount, 0);

const netAndGross = ({ totalAmount, taxAmount }: { totalAmount: number; taxAmount: number }) => ({
  netAmount: totalAmount - taxAmount,
  grossAmount: totalAmount,
});

/**
 * Distinct registrations of the order: those of its seats, then the one that received its add-ons.
 */
const registrationIdsOf = ({ lines, addonRegistrationId }: OrderRow): string[] => [
  ...new Set(
    withoutSeats([
      ...lines.flatMap(({ registrationIds }) => registrationIds),
      ...(addonRegistrationId === null ? [] : [addonRegistrationId]),
    ]),
  ),
];

const withoutSeats = (ids: readonly string[]): string[] => ids.filter((id) => !isSeatId(id));

/** An order as the response to its placement. */
export const placedOrderView = (
  order: z.input<typeof Order>,
  { buyerRegistrationId }: OrderRow,
): z.input<typeof PlacedOrder> => ({
  ...order,
  alreadyRegistered: buyerRegistrationId !== null,
  registrationId: buyerRegistrationId,
});
