import type { PlacedOrder } from '@event-api/contracts/http/checkout';
import type { Order } from '@event-api/contracts/http/orders';
import type { z } from 'zod';
import type { OrderLineRow, OrderRow } from './orders.queries.ts';
import { effectiveStatus } from './orders.rules.ts';
import { attemptStatus } from './payment-attempts.rules.ts';

/** An order as the API returns it. */
export function orderView(row: OrderRow): z.input<typeof Order> {
  const status = effectiveStatus(row);
  const isOpen = status === 'held' || status === 'awaiting_payment';
  const registrationIds = registrationIdsOf(row);
  return {
    id: row.id,
    orderNumber: row.orderNumber,
    eventId: row.eventId,
    email: row.email,
    name: row.name,
    status,
    currency: row.currency,
    totalAmount: row.totalAmount,
    items: row.lines.map(lineView),
    redemptionCode: row.redemptionCode,
    responses: row.responses,
    registrationIds,
    registrations: registrationIds.map((id) => ({
      id,
      status: row.registrationStatuses[id] ?? null,
    })),
    refundedAmount: row.refundedAmount,
    refundDueAmount: row.refundsDue.find(({ currency }) => currency === row.currency)?.amount ?? 0,
    refundsDue: row.refundsDue,
    holdExpiresAt: isOpen ? row.holdExpiresAt.toISOString() : null,
    paymentUrl: status === 'awaiting_payment' ? row.paymentUrl : null,
    paymentAttempts: row.paymentAttempts.map(({ at, state }) => ({
      at: new Date(at).toISOString(),
      status: attemptStatus(state, isOpen),
    })),
    placedAt: row.placedAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
  };
}

/**
 * Distinct registrations of the order: those of its seats, then the one that received its add-ons.
 */
const registrationIdsOf = ({ lines, addonRegistrationId }: OrderRow): string[] => [
  ...new Set([
    ...lines.flatMap(({ registrationIds }) => registrationIds),
    ...(addonRegistrationId === null ? [] : [addonRegistrationId]),
  ]),
];

/** An order as the response to its placement. */
export const placedOrderView = (
  order: z.input<typeof Order>,
  { buyerRegistrationId }: OrderRow,
): z.input<typeof PlacedOrder> => ({
  ...order,
  alreadyRegistered: buyerRegistrationId !== null,
  registrationId: buyerRegistrationId,
});

const lineView = (line: OrderLineRow): z.input<typeof Order>['items'][number] => ({
  itemType: line.itemType,
  itemId: line.itemId,
  name: line.name,
  quantity: line.quantity,
  unitAmount: line.unitAmount,
  discountAmount: line.discountAmount,
  totalAmount: line.totalAmount,
  unfulfilledAmount: line.unfulfilledAmount,
  attendees: line.attendees,
  registrationIds: line.registrationIds,
});
