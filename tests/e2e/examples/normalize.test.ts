import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { normalize } from './normalize.ts';
import type { Exchange } from './recording.ts';

const start = new Date('2027-05-10T07:00:00Z');
const cursorOf = (epoch: string) => Buffer.from(`1.${epoch}.2`).toString('base64url');

test.each([...'0123456789abcdef'])('replaces a feed cursor whose epoch starts with %s', (digit) => {
  const epoch = digit + randomUUID().slice(1);
  const exchange = { request: {}, response: { epoch, cursor: cursorOf(epoch) } };
  const [normalized] = normalize([exchange as unknown as Exchange], start);
  const response = normalized?.response as unknown as { epoch: string; cursor: string };
  expect(response.epoch).not.toBe(epoch);
  expect(response.cursor).toBe(cursorOf(response.epoch));
});
