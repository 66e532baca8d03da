import { type Discount, discountedPrice } from '@event-api/contracts/http/redemption-codes';
import type { Line, OrderDraft, Seat } from './lines.rules.ts';

export interface PricedLine extends Line {
  discountAmount: number;
  totalAmount: number;
}

export interface PricedOrder {
  lines: PricedLine[];
  /** The seats with the discounted amounts. */
  seats: Seat[];
  totalAmount: number;
}

/**
 * The discount of a redemption code and the ticket type that it applies to; null without a code.
 */
export interface CodeDiscount {
  discount: Discount | null;
  discountedTicketTypeId: string | null;
}

/** The total before any discount. */
export const listTotal = ({ lines }: Pick<OrderDraft, 'lines'>): number =>
  lines.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0);

/**
 * Prices an order in minor units. The discount applies to each seat of its ticket type, but not to
 * seats in a bundle.
 */
export function priceOrder(
  { lines, seats }: Pick<OrderDraft, 'lines' | 'seats'>,
  { discount, discountedTicketTypeId }: CodeDiscount,
): PricedOrder {
  const paid = seats.map((seat) =>
    seat.inBundle || seat.ticketTypeId !== discountedTicketTypeId
      ? seat
      : { ...seat, amount: discountedPrice(seat.amount, discount) },
  );
  const priced = lines.map((line) => {
    const { firstSeat, seatCount, unitAmount, quantity } = line;
    const sumOf = (part: readonly Seat[]) =>
      part.slice(firstSeat, firstSeat + seatCount).reduce((sum, { amount }) => sum + amount, 0);
    const discountAmount = sumOf(seats) - sumOf(paid);
    return { ...line, discountAmount, totalAmount: unitAmount * quantity - discountAmount };
  });
  const totalAmount = priced.reduce((sum, line) => sum + line.totalAmount, 0);
  return { lines: priced, seats: paid, totalAmount };
}
