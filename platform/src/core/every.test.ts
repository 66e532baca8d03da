import { describe, expect, test } from 'vitest';
import { createWaiter, every, pause } from './every.ts';

const longMs = 60_000;
const ignore = () => {};

/** Turns that a test starts and ends. */
function controlledTurns() {
  const started: AbortSignal[] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      started.push(signal);
      ends.push({ resolve, reject });
    });
  const end = (index: number) => ends[index]?.resolve();
  const fail = (index: number, error: Error) => ends[index]?.reject(error);
  const reached = (count: number) => expect.poll(() => started.length).toBe(count);
  return { started, turn, end, fail, reached };
}

describe('every', () => {
  test('starts the first turn after a pause, or immediately', async () => {
    const paused = controlledTurns();
    const immediate = controlledTurns();
    const options = { intervalMs: longMs, onError: ignore };
    const loops = [
      every(paused.turn, options),
      every(immediate.turn, { ...options, immediately: true }),
    ];
    expect([paused.started.length, immediate.started.length]).toEqual([0, 1]);
    immediate.end(0);
    await Promise.all(loops.map((loop) => loop.stop()));
  });

  test('repeats the turn after each pause', async () => {
    const { turn, end, reached } = controlledTurns();
    const intervals: number[] = [];
    const intervalMs = () => intervals.push(1);
    const loop = every(turn, { intervalMs, immediately: true, onError: ignore });
    end(0);
    await reached(2);
    end(1);
    await reached(3);
    expect(intervals.length).toBe(2);
    end(2);
    await loop.stop();
  });

  test('starts a turn early on wake', async () => {
    const { turn, end, reached } = controlledTurns();
    const loop = every(turn, { intervalMs: longMs, onError: ignore });
    loop.wake();
    await reached(1);
    end(0);
    await loop.stop();
  });

  test('runs no turns concurrently, and runs another one after a wake during a turn', async () => {
    const { started, turn, end, reached } = controlledTurns();
    const loop = every(turn, { intervalMs: longMs, immediately: true, onError: ignore });
    loop.wake();
    await new Promise(setImmediate);
    expect(started.length).toBe(1);
    end(0);
    await reached(2);
    end(1);
    await loop.stop();
  });

  test('reports a failed turn and goes on', async () => {
    const { turn, end, fail, reached } = controlledTurns();
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const loop = every(turn, { intervalMs: 1, immediately: true, onError });
    const failure = new Error('broken');
    fail(0, failure);
    await reached(2);
    expect(errors).toEqual([failure]);
    end(1);
    await loop.stop();
  });

  test('waits on stop for the running turn, whose signal aborts, and reports no failure of it', async () => {
    const { started, turn, fail } = controlledTurns();
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const loop = every(turn, { intervalMs: 1, immediately: true, onError });
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await new Promise(setImmediate);
    expect([started[0]?.aborted, isStopped]).toEqual([true, false]);
    fail(0, new Error('stopped'));
    await stopped;
    expect([started.length, errors]).toEqual([1, []]);
  });
});

test('a wake without a wait ends the next wait', async () => {
  const waiter = createWaiter();
  waiter.wake();
  await waiter.wait(longMs);
});

test('a pause ends when its signal aborts', async () => {
  const stopping = new AbortController();
  const paused = pause(longMs, stopping.signal);
  stopping.abort();
  await paused;
  await pause(longMs, stopping.signal);
});
