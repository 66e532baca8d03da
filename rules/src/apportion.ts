/**
 * Splits a whole amount in proportion to weights, in minor units. Each part gets its share rounded
 * down, and the units that are left go to the largest remainders, the first of equals first. The
 * parts sum to the amount. Without any weight, all parts weigh the same. No part exceeds its weight
 * if the amount does not exceed the sum of the weights.
 */
export function apportion(amount: number, weights: readonly number[]): number[] {
  const isWeightless = weights.every((weight) => weight === 0);
  const effective = weights.map((weight) => BigInt(isWeightless ? 1 : weight));
  const total = effective.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return [];
  const exact = effective.map((weight) => BigInt(amount) * weight);
  const parts = exact.map((share) => Number(share / total));
  const left = amount - parts.reduce((sum, part) => sum + part, 0);
  const byRemainder = exact
    .map((share, n) => ({ n, remainder: share % total }))
    .sort((a, b) => (a.remainder === b.remainder ? a.n - b.n : a.remainder < b.remainder ? 1 : -1));
  for (const { n } of byRemainder.slice(0, left)) parts[n] = (parts[n] ?? 0) + 1;
  return parts;
}
