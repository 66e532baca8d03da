import type { Discount } from '@event-api/contracts/http/redemption-codes';

/**
 * The price of one seat after a discount, in minor units: percent rounds half up, and nothing costs
 * less than 0.
 */
export function discountedPrice(priceAmount: number, discount: Discount | null): number {
  if (!discount) return priceAmount;
  if (discount.type === 'amount') return Math.max(0, priceAmount - discount.value);
  return priceAmount - Math.floor((priceAmount * discount.value + 50) / 100);
}
