import { expect, test } from 'vitest';
import { ApiError } from './error.ts';

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
