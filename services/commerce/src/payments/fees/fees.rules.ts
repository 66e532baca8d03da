import { dividedHalfUp } from '@event-api/rules/tax';
import { smallestStep } from '../providers/stripe-amounts.rules.ts';

/** What the platform takes of each payment on a connected account. */
export interface FeeRule {
  /** Hundredths of a percent of the payment. */
  basisPoints: number;
  /** Minor units of the currency of the payment. */
  fixedAmount: number;
}

/**
 * The fee of a payment, in minor units: the share rounded half up, and the fixed amount. It is never
 * more than the payment. A currency whose smallest step at the provider is larger than its minor
 * unit has a fee of whole steps, rounded down.
 */
export function feeOf(rule: FeeRule | null, amount: number, currency: string): number {
  if (rule === null) return 0;
  const product = BigInt(amount) * BigInt(rule.basisPoints);
  const share = dividedHalfUp(product, 10_000n);
  const fee = Math.min(amount, share + rule.fixedAmount);
  return fee - (fee % smallestStep(currency));
}
