import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { normalize } from './normalize.ts';
import type { Exchange } from './recording.ts';

const start = new Date('2027-05-10T07:00:00Z');
const cursorOf = (epoch: string, digest: string) =>
  Buffer.from(`1.${epoch}.2.${digest.slice(0, 16)}`).toString('base64url');

test.each([...'0123456789abcdef'])('replaces a feed cursor whose epoch starts with %s', (digit) => {
  const epoch = digit + randomUUID().slice(1);
  const digest = createHash('sha256').update(epoch).digest('hex');
  const exchange = { request: {}, response: { epoch, digest, cursor: cursorOf(epoch, digest) } };
  const [normalized] = normalize([exchange as unknown as Exchange], start);
  const response = normalized?.response as unknown as Record<'epoch' | 'digest' | 'cursor', string>;
  expect(response.epoch).not.toBe(epoch);
  expect(response.digest).not.toBe(digest);
  expect(response.cursor).toBe(cursorOf(response.epoch, response.digest));
});
