import type { AppliedTaxRate } from '@event-api/contracts/http/tax-rates';
import { apportion } from './apportion.ts';

/** Amounts in minor units; `grossAmount` is charged, and is always the sum of the other two. */
export interface TaxedAmounts {
  netAmount: number;
  taxAmount: number;
  grossAmount: number;
}

/** A part of a line that is taxed with one rate, or not at all. */
export type TaxedPart = TaxedAmounts & { rate: AppliedTaxRate | null };

const basis = 10_000n;

/** Divides and rounds half up; both numbers are not negative. */
export const dividedHalfUp = (dividend: bigint, divisor: bigint): number =>
  Number((dividend * 2n + divisor) / (divisor * 2n));

/**
 * Taxes a discounted price. The tax is rounded half up to the minor unit, once for the price of the
 * line and not for each seat. With `isReverseCharge` no tax is charged: of an inclusive price only
 * the net amount is.
 */
export function taxPrice(
  priceAmount: number,
  rate: AppliedTaxRate | null,
  { isReverseCharge }: { isReverseCharge: boolean },
): TaxedPart {
  const percentage = BigInt(rate?.percentage ?? 0);
  const price = BigInt(priceAmount);
  const isInclusive = rate?.mode === 'inclusive';
  const tax = isInclusive
    ? dividedHalfUp(price * percentage, basis + percentage)
    : dividedHalfUp(price * percentage, basis);
  const netAmount = isInclusive ? priceAmount - tax : priceAmount;
  const taxAmount = isReverseCharge ? 0 : tax;
  return { rate, netAmount, taxAmount, grossAmount: netAmount + taxAmount };
}

/**
 * The least that one of several units of this price is charged, with tax: the tax of a line is
 * rounded once, so that some of its units have a minor unit less of it than others.
 */
export function leastCharged(priceAmount: number, rate: AppliedTaxRate | null): number {
  const isAdded = rate?.mode === 'exclusive';
  return isAdded
    ? priceAmount + Number((BigInt(priceAmount) * BigInt(rate.percentage)) / basis)
    : priceAmount;
}

/** The taxable parts of a line: their list prices, for all units, and their rates. */
export interface LinePart {
  listAmount: number;
  rate: AppliedTaxRate | null;
}

/**
 * Taxes a line. `priceAmount` is its price after discounts. The line of a bundle without a rate of
 * its own has one part for each item: its price is split in proportion to their list prices, and
 * each part is taxed with its own rate. Parts of the same rate are taxed together. A line without
 * parts is not taxed.
 */
export function taxLine(
  priceAmount: number,
  parts: readonly LinePart[],
  treatment: { isReverseCharge: boolean },
): TaxedAmounts & { parts: TaxedPart[] } {
  const groups = new Map<string | null, LinePart>();
  for (const { listAmount, rate } of parts) {
    const key = rate?.id ?? null;
    groups.set(key, { rate, listAmount: (groups.get(key)?.listAmount ?? 0) + listAmount });
  }
  const grouped = groups.size > 0 ? [...groups.values()] : [{ listAmount: 0, rate: null }];
  const prices = apportion(
    priceAmount,
    grouped.map(({ listAmount }) => listAmount),
  );
  const taxed = grouped.map(({ rate }, n) => taxPrice(prices[n] ?? 0, rate, treatment));
  return { ...sumTaxed(taxed), parts: taxed };
}

/** The sums of lines or parts. */
export const sumTaxed = (amounts: readonly TaxedAmounts[]): TaxedAmounts =>
  amounts.reduce<TaxedAmounts>(
    (sum, each) => ({
      netAmount: sum.netAmount + each.netAmount,
      taxAmount: sum.taxAmount + each.taxAmount,
      grossAmount: sum.grossAmount + each.grossAmount,
    }),
    { netAmount: 0, taxAmount: 0, grossAmount: 0 },
  );

/**
 * The tax share of a refund. `before` is what other refunds pay back, and its tax. All refunds
 * together carry the share of the whole, rounded half up, so that a full refund carries all tax,
 * however it is divided. It is never negative and never more than the refund.
 */
export function taxOfRefund(
  { grossAmount, taxAmount }: Pick<TaxedAmounts, 'grossAmount' | 'taxAmount'>,
  before: { amount: number; taxAmount: number },
  amount: number,
): number {
  if (grossAmount === 0) return 0;
  const refunded = BigInt(Math.min(before.amount + amount, grossAmount));
  const share = dividedHalfUp(refunded * BigInt(taxAmount), BigInt(grossAmount));
  return Math.min(Math.max(share - before.taxAmount, 0), amount);
}

/**
 * The shares of lines in a refund of a whole order, with their taxes. The refund is split in
 * proportion to what each line has charged, by largest remainders; a full refund gives each line
 * its own tax.
 */
export function splitRefund(
  amount: number,
  lines: readonly TaxedAmounts[],
): { amount: number; taxAmount: number }[] {
  const shares = apportion(
    amount,
    lines.map(({ grossAmount }) => grossAmount),
  );
  return lines.map((line, n) => {
    const share = shares[n] ?? 0;
    return { amount: share, taxAmount: taxOfRefund(line, { amount: 0, taxAmount: 0 }, share) };
  });
}
