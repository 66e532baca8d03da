import { describe, expect, test } from 'vitest';
import { decideConnection, isStalled, updateProgress } from './connections.rules.ts';

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
  const kibibyte = 1024;
  const previous = { takenBytes: 100_000, acknowledgedBytes: 40_000, atMs: 1_000 };
  const stalled = { takenBytes: 100_000, queuedBytes: 5, unacknowledgedBytes: 60_000, atMs: 9_000 };

  test.each([
    ['counts an empty queue', { queuedBytes: 0 }, 9_000],
    ['counts taken bytes', { takenBytes: 100_001 }, 9_000],
    ['does not count queued bytes', {}, 1_000],
    ['counts 16 KiB of acknowledged bytes', { unacknowledgedBytes: 60_000 - 16 * kibibyte }, 9_000],
    ['does not count fewer', { unacknowledgedBytes: 60_001 - 16 * kibibyte }, 1_000],
    ['does not count unknown acknowledgements', { unacknowledgedBytes: null }, 1_000],
  ])('%s as progress', (_name, changes, atMs) => {
    expect(updateProgress(previous, { ...stalled, ...changes }).atMs).toBe(atMs);
  });

  test('keeps the acknowledged bytes of the last progress', () => {
    const once = { ...stalled, unacknowledgedBytes: 50_000 };
    const twice = { ...stalled, unacknowledgedBytes: 40_000, atMs: 10_000 };
    expect(updateProgress(updateProgress(previous, once), twice)).toEqual({
      takenBytes: 100_000,
      acknowledgedBytes: 60_000,
      atMs: 10_000,
    });
  });

  test('does not count the first known acknowledgements', () => {
    const unknown = { ...previous, acknowledgedBytes: null };
    const known = { ...previous, acknowledgedBytes: 90_000 };
    expect(updateProgress(unknown, { ...stalled, unacknowledgedBytes: 10_000 })).toEqual(known);
  });
});

describe('isStalled', () => {
  test.each([
    [15_999, false],
    [16_000, true],
  ])('at %d ms, 15 s after the last progress at 1,000 ms: %s', (nowMs, expected) => {
    const progress = { takenBytes: 0, acknowledgedBytes: null, atMs: 1_000 };
    expect(isStalled(progress, nowMs, 15_000)).toBe(expected);
  });
});
