import { describe, expect, test } from 'vitest';
import { isRepeatable, pauseBeforeRetry } from '../src/retry-rules.ts';

const response = (status: number, retryAfter: string | null = null) =>
  ({ kind: 'response', status, retryAfter, date: 'Mon, 10 May 2027 08:00:00 GMT' }) as const;
const lost = { kind: 'no_response' } as const;
const rules = { retried: 0, random: 1 };

test.each([
  ['a read', 'GET', {}, true],
  ['a POST with a key', 'POST', { 'Idempotency-Key': 'k' }, true],
  ['a POST without a key', 'POST', {}, false],
  ['a PATCH', 'PATCH', { 'Idempotency-Key': 'k' }, false],
  ['a PUT', 'PUT', {}, false],
] as const)('%s: repeatable is %4$s', (_, method, headers, expected) => {
  expect(isRepeatable(method, new Headers(headers))).toBe(expected);
});

describe('the pause before a retry', () => {
  test.each([
    ['no response', lost, 500, null],
    ['408', response(408), 500, null],
    ['500', response(500), 500, null],
    ['502', response(502), 500, null],
    ['503 with Retry-After', response(503, '2'), 2250, null],
    ['504', response(504), 500, null],
    ['429 with Retry-After', response(429, '3'), 3250, 3250],
    ['429 with a date', response(429, 'Mon, 10 May 2027 08:00:05 GMT'), 5250, 5250],
    ['429 with a date that has passed', response(429, 'Mon, 10 May 2027 07:59:00 GMT'), 250, 250],
    ['429 with an empty Retry-After', response(429, ''), 500, 500],
    ['429 with a malformed Retry-After', response(429, 'soon'), 500, 500],
    ['409 while the first attempt runs', response(409, '1'), 1250, null],
    ['409 of a record that exists', response(409), null, null],
    ['400', response(400), null, null],
    ['401', response(401), null, null],
    ['412', response(412), null, null],
    ['200', response(200), null, null],
  ] as const)('%s', (_, attempt, repeatable, other) => {
    expect(pauseBeforeRetry(attempt, { ...rules, repeatable: true })).toBe(repeatable);
    expect(pauseBeforeRetry(attempt, { ...rules, repeatable: false })).toBe(other);
  });

  test('doubles with every retry, up to 8 seconds', () => {
    const pauses = [0, 1, 2, 3, 4, 9].map((retried) =>
      pauseBeforeRetry(lost, { ...rules, retried, repeatable: true }),
    );
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
  });

  test('is random from zero, so that clients do not return together', () => {
    expect(pauseBeforeRetry(lost, { ...rules, retried: 3, random: 0, repeatable: true })).toBe(0);
  });
});
