import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSharedReads, longerForSlowReads } from './shared-reads.ts';

const intervalMs = 2000;

/** Reads that end after `readMs` with their number, and when each began. */
function readsOf(readMs: number) {
  const share = createSharedReads<number>({ intervalMs: () => intervalMs, maxKeys: 10 });
  const begunAt: number[] = [];
  const read = async () => {
    const number = begunAt.push(Date.now());
    await new Promise((resolve) => setTimeout(resolve, readMs));
    return number;
  };
  return { share, begunAt, call: (key = 'evt_1') => share(key, read) };
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

test('callers that come while a read runs share the next one, which begins once per interval', async () => {
  const { call, begunAt } = readsOf(100);
  const first = call();
  await vi.advanceTimersByTimeAsync(50);
  const others = [call(), call()];
  await vi.advanceTimersByTimeAsync(1000);
  others.push(call());
  await vi.advanceTimersByTimeAsync(3000);
  expect(await Promise.all([first, ...others])).toEqual([1, 2, 2, 2]);
  expect(begunAt).toEqual([0, 2000]);
});

test('a caller after the interval reads at once', async () => {
  const { call, begunAt } = readsOf(100);
  void call();
  await vi.advanceTimersByTimeAsync(intervalMs);
  void call();
  expect(begunAt).toEqual([0, 2000]);
});

test('a read that takes longer than the interval ends before the next one begins', async () => {
  const { call, begunAt } = readsOf(5000);
  void call();
  await vi.advanceTimersByTimeAsync(3000);
  void call();
  await vi.advanceTimersByTimeAsync(5000);
  expect(begunAt).toHaveLength(2);
  expect(begunAt[1]).toBeGreaterThanOrEqual(5000);
});

test('keys do not wait for each other', async () => {
  const { call, begunAt } = readsOf(100);
  void call('evt_1');
  void call('evt_2');
  expect(begunAt).toEqual([0, 0]);
});

test('a failed read fails for its callers, and the next one is tried', async () => {
  const { share } = readsOf(0);
  const failed = share('evt_1', () => Promise.reject(new Error('away')));
  await expect(failed).rejects.toThrow('away');
  const next = share('evt_1', async () => 7);
  await vi.advanceTimersByTimeAsync(intervalMs);
  expect(await next).toBe(7);
});

test.each([
  [5, 100],
  [80, 1600],
  [5000, 2000],
])(
  'after a read of %i ms the next one begins %i ms after its start, or when it has ended',
  async (readMs, interval) => {
    const share = createSharedReads<number>({
      intervalMs: longerForSlowReads(intervalMs),
      maxKeys: 10,
    });
    const begunAt: number[] = [];
    const call = () =>
      share('evt_1', async () => {
        await new Promise((resolve) => setTimeout(resolve, readMs));
        return begunAt.length;
      });
    const count = () => call().then(() => begunAt.push(Date.now() - readMs));
    void count();
    await vi.advanceTimersByTimeAsync(1);
    void count();
    await vi.advanceTimersByTimeAsync(20_000);
    const [first, second = 0] = begunAt;
    expect([first, Math.round(second / 10) * 10]).toEqual([0, Math.max(interval, readMs)]);
  },
);
