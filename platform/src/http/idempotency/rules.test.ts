import { describe, expect, test } from 'vitest';
import { decideCompletion, decideReplay } from './rules.ts';

const first = { isRetry: false, idsDiscarded: false, isStorable: true };
const rerun = { ...first, isRetry: true };
const spent = { ...first, idsDiscarded: true };
const secret = { ...first, isStorable: false };

describe('decideCompletion', () => {
  test.each([
    ['a success', 200, first, 'keep'],
    ['a success of a rerun', 201, rerun, 'keep'],
    ['a success with spent ids', 201, { ...rerun, idsDiscarded: true }, 'keep'],
    ['a success that must not be stored', 201, secret, 'release'],
    ['a refusal', 400, first, 'forget'],
    ['a refusal', 404, first, 'forget'],
    ['a refusal', 409, first, 'forget'],
    ['a refusal', 412, first, 'forget'],
    ['a refusal', 429, first, 'forget'],
    ['a refusal with spent ids', 412, spent, 'forget'],
    ['a refusal of a rerun', 409, rerun, 'release'],
    ['a refusal of a rerun', 412, rerun, 'release'],
    ['a refusal of a rerun with spent ids', 412, { ...rerun, idsDiscarded: true }, 'forget'],
    ['a failure', 500, first, 'release'],
    ['a failure', 503, first, 'release'],
    ['a failure of a rerun', 504, rerun, 'release'],
    ['a failure with spent ids', 503, spent, 'forget'],
  ] as const)('after %s, %i: %o is settled: %s', (_what, status, run, settling) => {
    expect(decideCompletion({ ...run, status })).toBe(settling);
  });
});

describe('decideReplay', () => {
  const row = { hash: 'a', status: 201, location: '/v1/events/evt_1', body: '{}' };

  test('replays the stored response of the same request', () => {
    const { hash, ...stored } = row;
    expect(decideReplay(row, hash)).toEqual({ outcome: 'replay', ...stored });
  });

  test.each([
    ['stored', row],
    ['running', { ...row, status: null }],
  ])('rejects another request while the first one is %s', (_state, existing) => {
    expect(decideReplay(existing, 'b')).toEqual({ outcome: 'other_request' });
  });

  test('reports a request without a response as running', () => {
    expect(decideReplay({ ...row, status: null }, 'a')).toEqual({ outcome: 'running' });
  });
});
