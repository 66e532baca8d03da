/**
 * Where Stripe counts otherwise than in the minor units of ISO 4217: so many of ours are so many of Stripe's, and
 * it takes no part of that.
 *
 * ISK and UGX have no minor unit, and Stripe goes on to count hundredths; of MGA it counts whole ariary. In
 * currencies with three decimals the last digit has to be 0. HUF and TWD are whole in payouts only.
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

/** They have three decimals, and Stripe neither lists them as such nor takes them: nobody knows what it would count. */
const unsupportedCurrencies: readonly string[] = ['IQD', 'LYD'];

/** An amount as Stripe counts it; null where it takes no such amount. `currency` is in upper case, here and below. */
export function toStripeAmount(amount: number, currency: string): number | null {
  if (unsupportedCurrencies.includes(currency)) return null;
  const { ours, stripes } = unitRatios.get(currency) ?? equalUnits;
  return amount % ours === 0 ? (amount / ours) * stripes : null;
}

/** An amount of Stripe's in minor units; null where that would be a part of one. */
export function fromStripeAmount(amount: number, currency: string): number | null {
  if (unsupportedCurrencies.includes(currency)) return null;
  const { ours, stripes } = unitRatios.get(currency) ?? equalUnits;
  const exact = (amount * ours) / stripes;
  return Number.isInteger(exact) ? exact : null;
}
