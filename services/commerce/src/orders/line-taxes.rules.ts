import type { AppliedTaxRate } from '@event-api/contracts/http/tax-rates';
import { apportion } from '@event-api/rules/apportion';
import { type LinePart, type TaxedPart, taxLine } from '@event-api/rules/tax';
import type { Line, Offer, Seat } from './lines.rules.ts';

/** Whether the customer owes the tax, so that none is charged. */
export interface TaxTreatment {
  isReverseCharge: boolean;
}

/**
 * Taxes the discounted price of a line. Tax that its price does not include is added to it and to
 * its seats, in proportion to their prices, and with reverse charge the tax that it includes is
 * taken off them.
 */
export function taxOrderLine(
  offer: Offer,
  line: Line,
  priceAmount: number,
  seats: readonly Seat[],
  treatment: TaxTreatment,
): { totalAmount: number; taxAmount: number; parts: TaxedPart[]; seats: Seat[] } {
  const taxed = taxLine(priceAmount, partsOf(offer, line), treatment);
  const { grossAmount, taxAmount, parts } = taxed;
  const inSeats = seats.reduce((sum, { amount }) => sum + amount, 0);
  const weights = [...seats.map(({ amount }) => amount), priceAmount - inSeats];
  const amounts = apportion(grossAmount, weights);
  const isChanged = grossAmount !== priceAmount;
  return {
    totalAmount: grossAmount,
    taxAmount,
    parts,
    seats: isChanged ? seats.map((seat, n) => ({ ...seat, amount: amounts[n] ?? 0 })) : [...seats],
  };
}

/** A ticket type as the catalog has it now. */
export interface PresentPrice {
  priceAmount: number;
  taxRate?: AppliedTaxRate | null;
}

/**
 * What the seats of a line with this many seats cost, with tax, if they were sold with a ticket type.
 * A seat that gets the type costs what it would have cost there, so that the seats of the line cost
 * together what a sale charges, one after another or at once.
 */
export function amountsOfSeats(
  { priceAmount, taxRate = null }: PresentPrice,
  seatCount: number,
  treatment: TaxTreatment,
): number[] {
  const listAmount = priceAmount * seatCount;
  const { grossAmount } = taxLine(listAmount, [{ listAmount, rate: taxRate }], treatment);
  return apportion(grossAmount, Array<number>(seatCount).fill(priceAmount));
}

/** What units of an add-on have cost with tax, after `before` others of their line. */
export function amountOfUnits(
  { totalAmount, quantity }: { totalAmount: number; quantity: number },
  before: number,
  units: number,
): number {
  const amounts = apportion(totalAmount, Array<number>(quantity).fill(1));
  return amounts.slice(before, before + units).reduce((sum, amount) => sum + amount, 0);
}

function partsOf(offer: Offer, { itemType, itemId, unitAmount, quantity }: Line): LinePart[] {
  const listAmount = unitAmount * quantity;
  if (itemType !== 'bundle') {
    const item = (itemType === 'addon' ? offer.addons : offer.types).get(itemId);
    return [{ listAmount, rate: item?.taxRate ?? null }];
  }
  const bundle = offer.bundles.get(itemId);
  if (bundle?.taxRate) return [{ listAmount, rate: bundle.taxRate }];
  return (bundle?.items ?? []).map((part) => {
    const item = (part.itemType === 'addon' ? offer.addons : offer.types).get(part.itemId);
    const units = part.quantity * quantity;
    return { listAmount: (item?.priceAmount ?? 0) * units, rate: item?.taxRate ?? null };
  });
}
