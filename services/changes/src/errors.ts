import { maxEndpoints } from '@event-api/contracts/http/webhook-endpoints';
import {
  ApiError,
  aborted,
  invalidArgument,
  preconditionFailed,
} from '@event-api/platform/core/errors';

/** 400: the text is not a cursor of the feed. */
export const invalidCursor = () =>
  invalidArgument([
    { field: 'after', issue: 'is not a cursor of the feed', code: 'invalid_value' },
  ]);

/** 400: the cursor was returned to a key of another business unit, which is not named. */
export const cursorOfAnotherUnit = () =>
  invalidArgument([
    {
      field: 'after',
      issue: 'is a cursor of another business unit',
      code: 'cursor_of_another_unit',
    },
  ]);

/** 412: the cursor belongs to a history that the feed does not have. */
export const feedReset = () => preconditionFailed('FEED_RESET');

/** 412: the changes after the cursor are not kept any more. */
export const cursorExpired = () => preconditionFailed('CURSOR_EXPIRED');

/** 429: the key has as many waiting requests as it may have. */
export const tooManyWaiting = () =>
  new ApiError(429, 'Too many requests of the key wait for changes', {
    headers: { 'retry-after': '1' },
  });

/** 400: a webhook endpoint cannot have this URL. */
export const invalidUrl = (issue: string) =>
  invalidArgument([{ field: 'url', issue, code: 'invalid_value' }]);

/** 400: nothing is ever delivered to this address. */
export const addressNotAllowed = () =>
  invalidArgument([
    {
      field: 'url',
      issue: 'must not be an address that is not public',
      code: 'address_not_allowed',
    },
  ]);

/** 412: the business unit has as many endpoints as it may have. */
export const tooManyEndpoints = () =>
  preconditionFailed('TOO_MANY_ENDPOINTS', { limit: maxEndpoints });

/** 412: nothing is sent to a disabled endpoint. */
export const endpointDisabled = () => preconditionFailed('ENDPOINT_DISABLED');

/** 412: changes of a replay are not kept any more. */
export const changeExpired = () => preconditionFailed('CHANGE_EXPIRED');

/** 409: another replay of the endpoint runs. */
export const replayRunning = () => aborted('Another replay of the endpoint is running', 5);

/** 400: the feed does not have this sequence yet. */
export const beyondEnd = (field: 'from' | 'to') =>
  invalidArgument([{ field, issue: 'is beyond the end of the feed', code: 'invalid_value' }]);

/** 404: the feed of the business unit does not contain the change. */
export function unknownChange(): ApiError {
  const issue = 'does not match a change in the feed';
  const details = [{ field: 'changeId', issue, code: 'not_found' }];
  return new ApiError(404, `changeId ${issue}`, { details });
}
