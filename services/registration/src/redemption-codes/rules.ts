import { normalCode } from '@event-api/contracts/http/fields';
import { ownCode } from '@event-api/contracts/http/redemption-codes';

/** The form in which a code is stored for comparison. */
export const codeKey = normalCode;

/** The key of what somebody has typed; what no code can look like has the key that no code has. */
export const lookupKey = (typed: string | undefined): string =>
  typed !== undefined && ownCode.test(typed.trim()) ? codeKey(typed) : '';
