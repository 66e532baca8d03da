import { apportion } from '@event-api/rules/apportion';
import { type LinePart, type TaxedPart, taxLine } from '@event-api/rules/tax';
import type { Line, Offer, Seat } from './lines.rules.ts';

const taxedByUs = { isReverseCharge: false };

/**
 * Taxes the discounted price of a line. Tax that its price does not include is added to it and to
 * its seats, in proportion to their prices.
 */
export function taxOrderLine(
  offer: Offer,
  line: Line,
  priceAmount: number,
  seats: readonly Seat[],
): { totalAmount: number; taxAmount: number; parts: TaxedPart[]; seats: Seat[] } {
  const taxed = taxLine(priceAmount, partsOf(offer, line), taxedByUs);
  const { grossAmount, taxAmount, parts } = taxed;
  const inSeats = seats.reduce((sum, { amount }) => sum + amount, 0);
  const weights = [...seats.map(({ amount }) => amount), priceAmount - inSeats];
  const amounts = apportion(grossAmount, weights);
  const isAdded = grossAmount !== priceAmount;
  return {
    totalAmount: grossAmount,
    taxAmount,
    parts,
    seats: isAdded ? seats.map((seat, n) => ({ ...seat, amount: amounts[n] ?? 0 })) : [...seats],
  };
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
