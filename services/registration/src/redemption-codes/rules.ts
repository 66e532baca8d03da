import { ownCode } from '@event-api/contracts/http/redemption-codes';

/** The one form in which two codes are compared: letters match in either case. */
export const codeKey = (code: string): string => code.trim().toUpperCase();

/** The key of what somebody has typed; what no code can look like has the key that no code has. */
export const lookupKey = (typed: string | undefined): string =>
  typed !== undefined && ownCode.test(typed.trim()) ? codeKey(typed) : '';
