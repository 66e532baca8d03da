import { describe, expect, test } from 'vitest';
import { decideConnection, isStalled, updateProgress } from './rules.ts';

describe('decideConnection', () => {
  const limits = { maxPerPeer: 2, maxTotal: 4 };

  test.each([
    ['accepts the last connection of a peer', { total: 1, fromPeer: 1 }, 'accept'],
    ['rejects a peer at its limit', { total: 2, fromPeer: 2 }, 'peer_limit'],
    ['accepts a trusted proxy above the limit of a peer', { total: 3, fromPeer: null }, 'accept'],
    ['rejects every peer at the total limit', { total: 4, fromPeer: 0 }, 'total_limit'],
    ['rejects a trusted proxy at the total limit', { total: 4, fromPeer: null }, 'total_limit'],
  ])('%s', (_name, open, expected) => {
    const decision = decideConnection(open, limits);
    expect(decision.outcome === 'reject' ? decision.reason : decision.outcome).toBe(expected);
  });
});

describe('updateProgress', () => {
  const previous = { takenBytes: 100, atMs: 1_000 };

  test.each([
    ['counts an empty queue', { takenBytes: 100, queuedBytes: 0, atMs: 9_000 }, 9_000],
    ['counts taken bytes', { takenBytes: 101, queuedBytes: 5, atMs: 9_000 }, 9_000],
    ['does not count queued bytes', { takenBytes: 100, queuedBytes: 5, atMs: 9_000 }, 1_000],
  ])('%s as progress', (_name, sample, atMs) => {
    expect(updateProgress(previous, sample)).toEqual({ takenBytes: sample.takenBytes, atMs });
  });
});

describe('isStalled', () => {
  test.each([
    [15_999, false],
    [16_000, true],
  ])('at %d ms, 15 s after the last progress at 1,000 ms: %s', (nowMs, expected) => {
    expect(isStalled({ takenBytes: 0, atMs: 1_000 }, nowMs, 15_000)).toBe(expected);
  });
});
