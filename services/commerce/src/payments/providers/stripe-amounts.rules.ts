/**
 * Currencies whose unit at Stripe differs from the minor unit of ISO 4217: `ours` minor units equal
 * `stripes` units of Stripe, and the amount must be a multiple of `ours`.
 *
 * ISK and UGX have no minor unit, but Stripe counts hundredths. MGA counts whole ariary. In
 * currencies with three decimals the last digit must be 0. HUF and TWD differ in payouts only.
 * Source: https://docs.stripe.com/currencies, "Minor units in API amounts".
 */
const unitRatios = new Map([
  ['ISK', { ours: 1, stripes: 100 }],
  ['UGX', { ours: 1, stripes: 100 }],
  ['MGA', { ours: 100, stripes: 1 }],
  ...['BHD', 'JOD', 'KWD', 'OMR', 'TND'].map(
    (currency) => [currency, { ours: 10, stripes: 10 }] as const,
  ),
]);
const equalUnits = { ours: 1, stripes: 1 };

/** Amounts of a currency at Stripe are multiples of this number of minor units. */
export const smallestStep = (currency: string): number =>
  (unitRatios.get(currency) ?? equalUnits).ours;

/** Currencies with three decimals that Stripe does not document: its unit is unknown. */
const unsupportedCurrencies: readonly string[] = ['IQD', 'LYD'];

/**
 * Converts minor units to the units of Stripe; null if Stripe does not accept the amount.
 * `currency` is in upper case, here and below.
 */
export function toStripeAmount(amount: number, currency: string): number | null {
  if (unsupportedCurrencies.includes(currency)) return null;
  const { ours, stripes } = unitRatios.get(currency) ?? equalUnits;
  return amount % ours === 0 ? (amount / ours) * stripes : null;
}

/** Converts units of Stripe to minor units; null if the result is not a whole number. */
export function fromStripeAmount(amount: number, currency: string): number | null {
  if (unsupportedCurrencies.includes(currency)) return null;
  const { ours, stripes } = unitRatios.get(currency) ?? equalUnits;
  const exact = (amount * ours) / stripes;
  return Number.isInteger(exact) ? exact : null;
}
