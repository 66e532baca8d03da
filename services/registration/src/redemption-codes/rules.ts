import { type Discount, ownCode } from '@event-api/contracts/http/redemption-codes';

/** The one form in which two codes are compared: letters match in either case. */
export const codeKey = (code: string): string => code.trim().toUpperCase();

/** The key of what somebody has typed; what no code can look like has the key that no code has. */
export const lookupKey = (typed: string | undefined): string =>
  typed !== undefined && ownCode.test(typed.trim()) ? codeKey(typed) : '';

/** The price of one seat after a discount, in minor units: percent rounds half up, and nothing costs less than 0. */
export function discountedPrice(priceAmount: number, discount: Discount | null): number {
  if (!discount) return priceAmount;
  if (discount.type === 'amount') return Math.max(0, priceAmount - discount.value);
  return priceAmount - Math.floor((priceAmount * discount.value + 50) / 100);
}
