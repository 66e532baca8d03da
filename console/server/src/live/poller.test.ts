import { afterEach, expect, test, vi } from 'vitest';
import type { SendRequest, ServiceResponse } from '../owners/send.ts';
import { startPoller } from './poller.ts';

const event = { unit: { id: 'unit_1', name: 'Unit', defaultCurrency: 'EUR' }, eventId: 'evt_1' };

afterEach(() => {
  vi.useRealTimers();
});

const ok = (body: object): ServiceResponse => ({
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
});

/**
 * A feed with a change at each of these seconds. A request waits up to five seconds for the next
 * one.
 */
function feedOf(seconds: readonly number[]): SendRequest {
  const startedAt = Date.now();
  const left = seconds.map((second) => startedAt + second * 1000);
  return async ({ path }) => {
    if (path.includes('/summary')) return new Promise(() => {});
    if (path.endsWith('/head')) return ok({ cursor: '0' });
    const waitMs = Math.max(0, (left[0] ?? Number.POSITIVE_INFINITY) - Date.now());
    await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, 5000)));
    const changes = waitMs <= 5000 ? [{ type: 'order.paid' }] : [];
    left.splice(0, changes.length);
    return ok({ changes, nextCursor: '0' });
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([
  ['at the start only, without changes', [], [0]],
  ['every ten seconds during a sale', upTo(29), [0, 10, 20]],
  // The second message waits for the end of a request that waits for news.
  ['at once after a quiet time', [20, 21], [0, 20, 33]],
] as const)(
  'a role that may not read the feed learns of changes %s',
  async (_case, changes, expected) => {
    vi.useFakeTimers();
    const startedAt = Date.now();
    const sentAt: number[] = [];
    const poller = startPoller(feedOf(changes), event, ({ name }) => {
      if (name === 'refresh') sentAt.push(Math.round((Date.now() - startedAt) / 1000));
    });
    await vi.advanceTimersByTimeAsync(34_000);
    expect(sentAt).toEqual(expected);
    void poller.stop();
  },
);
