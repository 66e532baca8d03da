/**
 * An amount in the minor unit of its currency, as people read it: `EUR 239.20`, `JPY 1500`. A
 * currency that the runtime does not know has two digits.
 */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    useGrouping: false,
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits).replaceAll('\u00a0', ' ');
}
