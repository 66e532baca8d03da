import type { Discount } from '@event-api/contracts/http/redemption-codes';
import { discountedPrice } from '@event-api/rules/discounted-price';
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

/** What is known of the price before the discount of the order's code. */
export function priceBeforeCode(
  { lines }: Pick<OrderDraft, 'lines'>,
  { redemptionCode }: { redemptionCode: string | null },
): 'free' | 'charged' | 'unknown' {
  if (lines.every(({ unitAmount }) => unitAmount === 0)) return 'free';
  return redemptionCode === null ? 'charged' : 'unknown';
}

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
