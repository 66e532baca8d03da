import type { SalesTotal } from '@event-api/contracts/operator/sales';

/** Adds the rows of a summary per currency, in the order of the currencies. */
export function totalsOf(rows: readonly SalesTotal[]): SalesTotal[] {
  const totals = new Map<string, SalesTotal>();
  for (const row of rows) {
    const { currency, seats, grossAmount, refundedAmount, netAmount } = row;
    const sum = totals.get(currency);
    totals.set(currency, {
      currency,
      seats: (sum?.seats ?? 0) + seats,
      grossAmount: (sum?.grossAmount ?? 0) + grossAmount,
      refundedAmount: (sum?.refundedAmount ?? 0) + refundedAmount,
      lostAmount: (sum?.lostAmount ?? 0) + row.lostAmount,
      disputedAmount: (sum?.disputedAmount ?? 0) + row.disputedAmount,
      netAmount: (sum?.netAmount ?? 0) + netAmount,
    });
  }
  return [...totals.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}
