const locale = 'en-GB';

/** The number of decimal places of a currency: 2 for EUR, 0 for JPY. */
export function decimalsOf(currency: string): number {
  return (
    new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits ?? 2
  );
}

/** Formats an amount in the minor unit of its currency: 2500 EUR is "€25.00". */
export function formatMoney(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).format(amount / 10 ** decimals);
}

/** The amount as a person types it: 2550 EUR is "25.50". */
export const moneyInput = (amount: number, currency: string): string =>
  (amount / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency));

/**
 * Parses what a person types into the minor unit. Returns null for text that is no amount of this
 * currency.
 */
export function parseMoney(text: string, currency: string): number | null {
  const decimals = decimalsOf(currency);
  const match = /^(\d+)(?:[.,](\d+))?$/.exec(text.trim().replace(/\s/g, ''));
  const [, whole = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > decimals) return null;
  return Number(whole + fraction.padEnd(decimals, '0'));
}
