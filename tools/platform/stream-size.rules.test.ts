import { expect, test } from 'vitest';
import { decideStreamSize } from './stream-size.rules.ts';

const MiB = 1024 ** 2;
const GiB = 1024 ** 3;

test.each([
  ['a disk of 320 MiB', { freeBytes: 320 * MiB, hasData: false }, 'too_small', 1.5 * GiB],
  ['the smallest disk', { freeBytes: 1.5 * GiB, hasData: false }, 'chosen', 384 * MiB],
  ['a full disk with data', { freeBytes: 200 * MiB, hasData: true }, 'too_small', 256 * MiB],
  ['a nearly full disk with data', { freeBytes: 256 * MiB, hasData: true }, 'chosen', 64 * MiB],
  ['8 GiB', { freeBytes: 8 * GiB, hasData: false }, 'chosen', 2 * GiB],
  ['a large disk', { freeBytes: 800 * GiB, hasData: false }, 'chosen', 2 * GiB],
])('%s', (_, disk, outcome, bytes) => {
  const size = decideStreamSize(disk);
  expect(size.outcome).toBe(outcome);
  expect(size.outcome === 'chosen' ? size.bytes : size.neededBytes).toBe(bytes);
  if (size.outcome === 'chosen') expect(size.isReduced).toBe(bytes < 2 * GiB);
});
