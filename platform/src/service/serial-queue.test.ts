import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createSerialQueue } from './serial-queue.ts';

const limits = { name: 'test', maxWaiting: 2, maxWaitMs: 60_000, maxPauseMs: 60_000 };

describe('a serial queue', () => {
  test('runs one piece of work at a time, and the groups in turns', async () => {
    const queue = createSerialQueue(limits);
    const started: string[] = [];
    let running = 0;
    const work = (name: string) => async () => {
      started.push(name);
      running += 1;
      expect(running).toBe(1);
      await turn();
      running -= 1;
      return name;
    };
    const results = ['a1', 'a2', 'a3', 'b1'].map((name) => queue.run(name[0] ?? '', work(name)));
    expect(queue.waiting()).toBe(3);
    expect(await Promise.all(results)).toEqual(['a1', 'a2', 'a3', 'b1']);
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect(queue.waiting()).toBe(0);
    expect(await queue.run('a', async () => 'again')).toBe('again');
  });

  test('goes on after work that fails', async () => {
    const queue = createSerialQueue(limits);
    const failing = queue.run('a', async () => {
      throw new Error('failed');
    });
    const next = queue.run('a', async () => 'done');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });

  test('rejects with 503 what comes when too many wait in its group, and accepts other groups', async () => {
    const queue = createSerialQueue(limits);
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const first = queue.run('a', () => opened);
    const accepted = [queue.run('a', turn), queue.run('a', turn), queue.run('b', turn)];
    expect([queue.isFull('a'), queue.isFull('b')]).toEqual([true, false]);
    await expect(queue.run('a', turn)).rejects.toMatchObject({ code: 503 });
    open();
    await Promise.all([first, ...accepted]);
  });

  test('rejects with 503 what has waited too long, does not run it, and goes on', async () => {
    const queue = createSerialQueue({ ...limits, maxWaitMs: 10 });
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const run = vi.fn(turn);
    const first = queue.run('a', () => opened);
    const late = queue.run('a', run);
    const startedAt = performance.now();
    await expect.poll(() => performance.now() - startedAt).toBeGreaterThan(10);
    open();
    await first;
    await expect(late).rejects.toMatchObject({ code: 503 });
    expect(run).not.toHaveBeenCalled();
    expect(await queue.run('a', async () => 'next')).toBe('next');
  });

  test('pauses after work for as long as it took, while more waits', async () => {
    const queue = createSerialQueue(limits);
    const workMs = 40;
    const work = async () => {
      const startedAt = performance.now();
      while (performance.now() - startedAt < workMs) await turn();
      return { startedAt, endedAt: performance.now() };
    };
    const [first, second] = await Promise.all([queue.run('a', work), queue.run('a', work)]);
    // A timer can be a millisecond early.
    expect(second.startedAt - first.endedAt).toBeGreaterThanOrEqual(workMs - 1);
  });

  test('pauses no longer than its limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    try {
      const queue = createSerialQueue({ ...limits, maxPauseMs: 10 });
      const started = vi.fn(async () => {});
      const slow = queue.run('a', async () => void vi.advanceTimersByTime(5000));
      const next = queue.run('a', started);
      await slow;
      expect(started).not.toHaveBeenCalled();
      vi.advanceTimersByTime(10);
      await next;
      expect(started).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });

  test('runs each piece of work in the async context of its caller', async () => {
    const queue = createSerialQueue(limits);
    const context = new AsyncLocalStorage<string>();
    const read = async () => {
      await turn();
      return context.getStore();
    };
    const results = ['one', 'two'].map((name) => context.run(name, () => queue.run('a', read)));
    expect(await Promise.all(results)).toEqual(['one', 'two']);
  });
});
