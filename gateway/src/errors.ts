import { invalidArgument } from '@event-api/platform/core/errors';

/** 400: fields name doors that the event does not have. */
export const unknownDoorFields = (fields: readonly string[]) =>
  invalidArgument(
    fields.map((field) => ({ field, issue: 'is no door of this event', code: 'not_found' })),
  );

/** 400: the expiry of a key is in the past. `key.revoke` revokes a key immediately. */
export const expiryInPast = () =>
  invalidArgument([{ field: 'expiresAt', issue: 'must be in the future', code: 'invalid_value' }]);
