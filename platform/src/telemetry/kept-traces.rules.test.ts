import { describe, expect, test } from 'vitest';
import { createKeepLimit, isFault, isNotable, type RequestEnd } from './kept-traces.rules.ts';

const quick: RequestEnd = { method: 'GET', status: 200, durationMs: 20, mayWait: false };

describe('a request is notable', () => {
  test.each<[string, Partial<RequestEnd>, boolean]>([
    ['and quick', {}, false],
    ['with a 500', { status: 500 }, true],
    ['with a 503', { status: 503 }, true],
    ['with a 503 although it waits on purpose', { status: 503, mayWait: true }, true],
    ['with a 404', { status: 404 }, false],
    ['with a 429', { status: 429 }, false],
    ['whose client has left', { status: undefined }, false],
    ['whose client has left after a long wait', { status: undefined, durationMs: 4000 }, true],
    ['that reads at the objective', { durationMs: 250 }, false],
    ['that reads slower than the objective', { durationMs: 251 }, true],
    ['that writes at the objective', { method: 'POST', durationMs: 500 }, false],
    ['that writes slower than the objective', { method: 'POST', durationMs: 501 }, true],
    ['that waits on purpose', { durationMs: 30_000, mayWait: true }, false],
  ])('%s: %j → %s', (_which, difference, expected) => {
    expect(isNotable({ ...quick, ...difference })).toBe(expected);
  });
});

describe('a span shows a fault', () => {
  test.each([
    [false, undefined, false],
    [false, '503', false],
    // The client has left, or its request has failed.
    [true, undefined, false],
    [true, '404', false],
    [true, '429', false],
    [true, '500', true],
    [true, '503', true],
    [true, 'timeout', true],
    [true, 'unreachable', true],
    [true, 'unusable', true],
    [true, 'connection', true],
    // A unique and a check constraint, and an invalid value.
    [true, '23505', false],
    [true, '23514', false],
    [true, '22P02', false],
    // A timeout of a statement, a lock and a server that stops.
    [true, '57014', true],
    [true, '55P03', true],
    [true, '57P01', true],
  ] as const)('failed %s with %s: %s', (failed, type, expected) => {
    expect(isFault({ failed, attributes: { 'error.type': type } })).toBe(expected);
  });
});

test('the limit allows its number in each second', () => {
  let now = 5_000;
  const mayKeep = createKeepLimit(2, () => now);
  const tryThrice = () => [mayKeep(), mayKeep(), mayKeep()];
  expect(tryThrice()).toEqual([true, true, false]);
  now = 5_999;
  expect(mayKeep()).toBe(false);
  now = 6_000;
  expect(tryThrice()).toEqual([true, true, false]);
});
