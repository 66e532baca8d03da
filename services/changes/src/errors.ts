import { ApiError, invalidArgument, preconditionFailed } from '@event-api/platform/core/errors';

/** 400: the text is not a cursor of the feed. */
export const invalidCursor = () =>
  invalidArgument([
    { field: 'after', issue: 'is not a cursor of the feed', code: 'invalid_value' },
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
