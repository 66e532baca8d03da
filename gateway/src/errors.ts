import { type Cell, nameOfCell } from '@event-api/contracts/cells';
import { maxKeys } from '@event-api/contracts/operator/keys';
import {
  type ApiError,
  invalidArgument,
  preconditionFailed,
  unauthenticated,
} from '@event-api/platform/core/errors';

/** 400: fields name doors that the event does not have. */
export const unknownDoorFields = (fields: readonly string[]) =>
  invalidArgument(
    fields.map((field) => ({ field, issue: 'is no door of this event', code: 'not_found' })),
  );

/** 400: the expiry of a key is in the past. `key.revoke` revokes a key immediately. */
export const expiryInPast = () =>
  invalidArgument([{ field: 'expiresAt', issue: 'must be in the future', code: 'invalid_value' }]);

/**
 * 401: the text of a credential names another cell. It says nothing that the caller has not sent,
 * except in which cell the request has arrived.
 */
export const credentialOfOtherCell = (
  named: Cell,
  own: Cell,
  what: 'API key' | 'claim token' = 'API key',
): ApiError =>
  unauthenticated(
    `A valid ${what} is required: this one names ${nameOfCell(named)}, and the request has reached ${nameOfCell(own)}`,
  );

/** 401: no token of a claim link, or one that is unknown or revoked. */
export const invalidClaimToken = (): ApiError => unauthenticated('A valid claim token is required');

/** 400: the secret of a new key names another cell, so proxies would not send its requests here. */
export const secretOfOtherCell = (own: Cell) =>
  invalidArgument([
    { field: 'secret', issue: `must be of ${nameOfCell(own)}`, code: 'invalid_value' },
  ]);

/** 412: a command that names a cell has reached another one. */
export const commandForOtherCell = (wanted: Cell, own: Cell) =>
  preconditionFailed(
    'OTHER_CELL',
    { cell: own, wanted },
    `The command is for ${nameOfCell(wanted)}, and this is ${nameOfCell(own)}`,
  );

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
