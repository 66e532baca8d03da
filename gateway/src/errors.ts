import { maxKeys } from '@event-api/contracts/operator/keys';
import { invalidArgument, preconditionFailed } from '@event-api/platform/core/errors';

/** 400: fields name doors that the event does not have. */
export const unknownDoorFields = (fields: readonly string[]) =>
  invalidArgument(
    fields.map((field) => ({ field, issue: 'is no door of this event', code: 'not_found' })),
  );

/** 400: the expiry of a key is in the past. `key.revoke` revokes a key immediately. */
export const expiryInPast = () =>
  invalidArgument([{ field: 'expiresAt', issue: 'must be in the future', code: 'invalid_value' }]);

/** 412: the business unit has as many keys as it may have. */
export const tooManyKeys = () => preconditionFailed('TOO_MANY_KEYS', { limit: maxKeys });

/** 400: fields limit a key that was created without limits. Its prefix promises them. */
export const notRestricted = (fields: readonly string[]) =>
  invalidArgument(
    fields.map((field) => ({
      field,
      issue: 'belongs to a restricted key; this key is unrestricted. Create a restricted one',
      code: 'invalid_value',
    })),
  );

/** 400: a device cannot stay paired until the end of an event that has none. */
export const noEventEnd = () =>
  invalidArgument([
    { field: 'untilEventEnds', issue: 'requires an event with an end', code: 'invalid_value' },
  ]);
