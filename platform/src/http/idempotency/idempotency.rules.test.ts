import { describe, expect, test } from 'vitest';
import { decideCompletion, decideReplay } from './idempotency.rules.ts';

const first = { isRetry: false, idsDiscarded: false, isStorable: true };
const retry = { ...first, isRetry: true };
const discarded = { ...first, idsDiscarded: true };
const secret = { ...first, isStorable: false };

describe('decideCompletion', () => {
  test.each([
    ['a success', 200, first, 'store'],
    ['a successful retry', 201, retry, 'store'],
    ['a success with discarded ids', 201, { ...retry, idsDiscarded: true }, 'store'],
    ['a success that must not be stored', 201, secret, 'release'],
    ['a rejection', 400, first, 'delete'],
    ['a rejection', 404, first, 'delete'],
    ['a rejection', 409, first, 'delete'],
    ['a rejection', 412, first, 'delete'],
    ['a rejection', 429, first, 'delete'],
    ['a rejection with discarded ids', 412, discarded, 'delete'],
    ['a rejected retry', 409, retry, 'release'],
    ['a rejected retry', 412, retry, 'release'],
    ['a rejected retry with discarded ids', 412, { ...retry, idsDiscarded: true }, 'delete'],
    ['a failure', 500, first, 'release'],
    ['a failure', 503, first, 'release'],
    ['a failed retry', 504, retry, 'release'],
    ['a failure with discarded ids', 503, discarded, 'delete'],
  ] as const)('after %s, %i with %o, decides to %s the key', (_what, status, run, expected) => {
    expect(decideCompletion({ ...run, status })).toBe(expected);
  });
});

describe('decideReplay', () => {
  const row = { requestHash: 'a', status: 201, location: '/v1/events/evt_1', body: '{}' };

  test('replays the stored response of the same request', () => {
    const { requestHash, ...stored } = row;
    expect(decideReplay(row, requestHash)).toEqual({ outcome: 'replay', ...stored });
  });

  test.each([
    ['stored', row],
    ['running', { ...row, status: null }],
  ])('rejects another request while the first one is %s', (_state, existing) => {
    expect(decideReplay(existing, 'b')).toEqual({ outcome: 'key_reused' });
  });

  test('reports a request without a response as running', () => {
    expect(decideReplay({ ...row, status: null }, 'a')).toEqual({ outcome: 'running' });
  });
});
