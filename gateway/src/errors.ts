import { invalidArgument } from '@event-api/platform/core/errors';

/** 400: a key would be expired from the start; `key.revoke` ends one. */
export const expiryInPast = () =>
  invalidArgument([{ field: 'expiresAt', issue: 'must be in the future', code: 'invalid_value' }]);
