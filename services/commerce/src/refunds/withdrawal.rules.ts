import type { RefundState } from '@event-api/contracts/operator/refunds';
import { presentSeat, type Seat } from '../orders/lines.rules.ts';
import { mayBecomePaid, type OrderState } from '../orders/orders.rules.ts';

/** The cause of a refund for what was not delivered, because its attendee had registered before. */
export const attendeeRegistered = 'attendee_registered';

/** The registration that an order got from a refunded order. */
export interface ReceivedRegistration {
  registrationId: string;
  ticketTypeId: string | null;
}

/** What is still unfulfilled of a line of an order. */
export interface UnfulfilledLine {
  position: number;
  amount: number;
  ids: string[];
}

export type WithdrawalDecision =
  | { outcome: 'unchanged' }
  /** The fulfilment of the order is not stored yet. */
  | { outcome: 'unfinished' }
  /** The refunds are withdrawn, and what is still owed is due as one new refund. */
  | { outcome: 'withdraw'; refundIds: string[]; rest: number; line: UnfulfilledLine };

interface ReceivingOrder extends OrderState {
  seats: readonly Seat[];
  lines: readonly {
    firstSeat: number;
    registrationIds: readonly string[];
    unfulfilledAmount: number;
    unfulfilledRegistrationIds: readonly string[];
  }[];
}

/**
 * Decides whether the price of a seat is still owed to an order that got the registration of its
 * attendee. It is not if the registration has the ticket type that the order paid for. It is if an
 * operator has started to refund it, because the seat is then revoked.
 */
export function decideWithdrawal(
  order: ReceivingOrder,
  refunds: readonly { id: string; state: RefundState; cause: string; amount: number }[],
  { registrationId, ticketTypeId }: ReceivedRegistration,
): WithdrawalDecision {
  if (mayBecomePaid(order)) return { outcome: 'unfinished' };
  if (order.status !== 'paid' && order.status !== 'refund_due') return { outcome: 'unchanged' };
  const position = order.lines.findIndex(({ unfulfilledRegistrationIds }) =>
    unfulfilledRegistrationIds.includes(registrationId),
  );
  const line = order.lines[position];
  const sold = line && order.seats[line.firstSeat + line.registrationIds.indexOf(registrationId)];
  const seat = sold && presentSeat(sold);
  if (!line || seat?.ticketTypeId !== ticketTypeId) return { outcome: 'unchanged' };
  const due = refunds.filter(({ state, cause }) => state === 'due' && cause === attendeeRegistered);
  const rest = due.reduce((sum, { amount }) => sum + amount, 0) - seat.amount;
  if (rest < 0) return { outcome: 'unchanged' };
  return {
    outcome: 'withdraw',
    refundIds: seat.amount > 0 ? due.map(({ id }) => id) : [],
    rest: seat.amount > 0 ? rest : 0,
    line: {
      position,
      amount: line.unfulfilledAmount - seat.amount,
      ids: line.unfulfilledRegistrationIds.filter((id) => id !== registrationId),
    },
  };
}
