import { expect, test, vi } from 'vitest';
import { ApiError } from './error.ts';
import { repeatLimited } from './repeat-limited.ts';

const failure = (code: number) =>
  new ApiError({ code, status: '', message: '', operation: '', retryAfterSeconds: 0.01 });

test('repeats what the rate limit rejects, and nothing else', async () => {
  const { signal } = new AbortController();
  const send = vi.fn<() => Promise<string>>();
  send.mockRejectedValueOnce(failure(429)).mockRejectedValueOnce(failure(429));
  send.mockResolvedValueOnce('done').mockRejectedValueOnce(failure(503));
  const onWait = vi.fn();
  expect(await repeatLimited(send, signal, onWait)).toBe('done');
  expect(onWait.mock.calls.flat()).toEqual([true, false, true, false]);
  expect(send).toHaveBeenCalledTimes(3);
  await expect(repeatLimited(send, signal)).rejects.toMatchObject({ code: 503 });
  expect(send).toHaveBeenCalledTimes(4);
});

test('ends when it is cancelled while it waits', async () => {
  const cancelling = new AbortController();
  const send = () => {
    setTimeout(() => cancelling.abort(new Error('cancelled')));
    return Promise.reject(new ApiError({ ...failure(429), message: '', retryAfterSeconds: 60 }));
  };
  await expect(repeatLimited(send, cancelling.signal)).rejects.toThrow('cancelled');
});
