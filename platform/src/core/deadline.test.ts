import { expect, test, vi } from 'vitest';
import { withTimeout } from './deadline.ts';

const never = new Promise<never>(() => {});
const longMs = 60_000;

test('returns the value of work that ends in time', async () => {
  expect(await withTimeout(Promise.resolve('value'), longMs)).toEqual({
    outcome: 'done',
    value: 'value',
  });
});

test('returns late for work that does not end in time', async () => {
  expect(await withTimeout(never, 1)).toEqual({ outcome: 'late' });
});

test('fails with the error of work that fails in time', async () => {
  await expect(withTimeout(Promise.reject(new Error('broken')), longMs)).rejects.toThrow('broken');
});

test('ignores the failure of late work', async () => {
  let fail: (error: Error) => void = () => {};
  const work = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const onUnhandled = vi.fn();
  process.once('unhandledRejection', onUnhandled);
  expect(await withTimeout(work, 1)).toEqual({ outcome: 'late' });
  fail(new Error('broken'));
  await new Promise(setImmediate);
  process.off('unhandledRejection', onUnhandled);
  expect(onUnhandled).not.toHaveBeenCalled();
});

test('leaves no timer behind', async () => {
  vi.useFakeTimers();
  try {
    await withTimeout(Promise.resolve(), longMs);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
