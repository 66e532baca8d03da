import { expect, test } from 'vitest';
import { ApiError, limitedMs } from './error.ts';

test.each([
  [0, false],
  [403, true],
  [404, true],
  [409, false],
  [429, false],
  [500, false],
  [503, false],
])('an error with the code %i is final: %s', (code, isFinal) => {
  const error = new ApiError({ code, status: '', message: '', operation: 'key.list' });
  expect(error.isFinal).toBe(isFinal);
});

test.each([
  [429, 7, 7000],
  [429, null, 5000],
  [503, 7, null],
  [404, null, null],
])(
  'a read that fails with %i and Retry-After %s is read again after %s ms',
  (code, seconds, ms) => {
    const options = { code, status: '', message: '', operation: 'key.list' };
    expect(limitedMs(new ApiError({ ...options, retryAfterSeconds: seconds }))).toBe(ms);
    expect(limitedMs(null)).toBeNull();
  },
);
