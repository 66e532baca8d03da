import type { FoundOrder } from '../../api/records.ts';
import { isOfOtherPayment } from '../../components/ledger/ledger.rules.ts';
import { paidOf } from '../../components/ledger/refund.rules.ts';

type Seat = FoundOrder['seats'][number];
type Refund = FoundOrder['refunds'][number];
type RefundedOrder = Pick<
  FoundOrder,
  'totalAmount' | 'changesAmount' | 'refunds' | 'seats' | 'cancelledSeats'
>;

export type SeatRefund =
  | { outcome: 'nothing' }
  /** The whole price. */
  | { outcome: 'whole' }
  | { outcome: 'part'; amount: number }
  /** A refund of several seats is less than their prices, and does not say what each of them gets. */
  | { outcome: 'unknown_part' };

/**
 * What was paid back, or is on its way, for a seat of an order. `seat.registrationId`, or its own id
 * if it was sold without a name and has no registration, is how refunds name it. The refund of a
 * cancelled event names no seat: it is for those that no decision of the policy and no other refund
 * concerns.
 */
export function refundOfSeat(order: RefundedOrder, seat: Seat): SeatRefund {
  const price = priceOf(seat);
  const paidBack = order.refunds
    .filter(({ state }) => state === 'done' || state === 'pending')
    .filter((refund) => !isOfOtherPayment(refund));
  if (price === 0 || seat.isUnfulfilled) return { outcome: 'nothing' };
  if (sum(paidBack.map(({ amount }) => amount)) >= paidOf(order)) return { outcome: 'whole' };
  const parts = paidBack.map((refund) => partOf(order, refund, seat));
  const amount = sum(parts.map((part) => part ?? 0));
  if (amount >= price) return { outcome: 'whole' };
  if (parts.includes(null)) return { outcome: 'unknown_part' };
  return amount > 0 ? { outcome: 'part', amount } : { outcome: 'nothing' };
}

/** The part of a refund that is for a seat; null if it is not known. */
function partOf(order: RefundedOrder, refund: Refund, seat: Seat): number | null {
  const seats = seatsOf(order, refund);
  if (!seats.includes(seat)) return 0;
  const decided = decidedOf(order, seat);
  if (refund.cause === 'refund_policy' && decided) return decided.refundAmount;
  if (seats.length === 1) return refund.amount;
  return refund.amount >= sum(seats.map(priceOf)) ? priceOf(seat) : null;
}

function seatsOf(order: RefundedOrder, { cause, registrationIds }: Refund): Seat[] {
  if (cause !== 'event_cancelled') {
    return order.seats.filter((seat) => registrationIds.includes(idOf(seat)));
  }
  const named = new Set(order.refunds.flatMap((refund) => refund.registrationIds));
  return order.seats.filter(
    (seat) => !seat.isUnfulfilled && !named.has(idOf(seat)) && decidedOf(order, seat) === undefined,
  );
}

/** What the policy has decided about a seat. */
const decidedOf = ({ cancelledSeats }: RefundedOrder, seat: Seat) =>
  cancelledSeats.find(
    ({ registrationId, reason }) => registrationId === idOf(seat) && reason !== 'settled',
  );

const idOf = ({ id, registrationId }: Seat): string => registrationId ?? id;

const priceOf = ({ amount, addonAmount }: Seat): number => amount + addonAmount;

const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, each) => total + each, 0);
