import { invalidArgument } from '@event-api/platform/core/errors';

/** 400: the expiry of a key is in the past. `key.revoke` revokes a key immediately. */
export const expiryInPast = () =>
  invalidArgument([{ field: 'expiresAt', issue: 'must be in the future', code: 'invalid_value' }]);
