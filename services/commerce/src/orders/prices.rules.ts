import type { Discount } from '@event-api/contracts/http/redemption-codes';
import type { LineTax } from '@event-api/contracts/http/tax-rates';
import { discountedPrice } from '@event-api/rules/discounted-price';
import { type TaxTreatment, taxOrderLine } from './line-taxes.rules.ts';
import type { Line, Offer, OrderDraft, Seat } from './lines.rules.ts';

export interface PricedLine extends Line {
  discountAmount: number;
  /** What is charged, with tax. */
  totalAmount: number;
  taxAmount: number;
  taxes: LineTax[];
}

export interface PricedOrder {
  lines: PricedLine[];
  /** The seats with what is charged for them. */
  seats: Seat[];
  totalAmount: number;
  taxAmount: number;
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
 * Prices and taxes an order in minor units. The discount applies to each seat of its ticket type, but
 * not to seats in a bundle, and it reduces what is taxed.
 */
export function priceOrder(
  { lines, seats }: Pick<OrderDraft, 'lines' | 'seats'>,
  { discount, discountedTicketTypeId }: CodeDiscount,
  offer: Offer,
  treatment: TaxTreatment = { isReverseCharge: false },
): PricedOrder {
  const paid = seats.map((seat) =>
    seat.inBundle || seat.ticketTypeId !== discountedTicketTypeId
      ? seat
      : { ...seat, amount: discountedPrice(seat.amount, discount) },
  );
  const priced = lines.map((line) => {
    const { firstSeat, seatCount, unitAmount, quantity } = line;
    const partOf = (all: readonly Seat[]) => all.slice(firstSeat, firstSeat + seatCount);
    const discountAmount = sumOf(partOf(seats)) - sumOf(partOf(paid));
    const price = unitAmount * quantity - discountAmount;
    const taxed = taxOrderLine(offer, line, price, partOf(paid), treatment);
    const { parts, seats: charged, ...amounts } = taxed;
    const taxes = parts.flatMap(({ rate, ...taxOfPart }) =>
      rate ? [{ rate, treatment: treatmentOf(treatment), ...taxOfPart }] : [],
    );
    return { line: { ...line, discountAmount, ...amounts, taxes }, seats: charged };
  });
  const pricedLines = priced.map(({ line }) => line);
  return {
    lines: pricedLines,
    seats: priced.flatMap((part) => part.seats),
    totalAmount: pricedLines.reduce((sum, line) => sum + line.totalAmount, 0),
    taxAmount: pricedLines.reduce((sum, line) => sum + line.taxAmount, 0),
  };
}

const treatmentOf = ({ isReverseCharge }: TaxTreatment): LineTax['treatment'] =>
  isReverseCharge ? 'reverse_charge' : 'standard';

const sumOf = (seats: readonly Seat[]): number =>
  seats.reduce((sum, { amount }) => sum + amount, 0);
