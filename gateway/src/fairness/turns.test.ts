import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTurns } from './turns.ts';

const limits = { maxInFlight: 4, maxInFlightPerUnit: 2, maxWaitingPerUnit: 3 };

/** Records which requests have started or were refused, and releases them by name. */
function startTurns(overrides: Partial<typeof limits> = {}) {
  const turns = createTurns({ ...limits, ...overrides }, 1000);
  const log: string[] = [];
  const releases = new Map<string, () => void>();
  const abandoned = new Set<string>();
  return {
    log,
    abandoned,
    waiting: turns.waiting,
    request: (unit: string, name: string) =>
      turns.take(unit, {
        start: (release) => {
          log.push(name);
          releases.set(name, release);
        },
        refuse: (reason) => void log.push(`${name} ${reason}`),
        isAbandoned: () => abandoned.has(name),
      }),
    release: (name: string) => releases.get(name)?.(),
  };
}

describe('requests to one service', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('of one unit start up to its limit and leave places to other units', () => {
    const { request, log } = startTurns();
    for (const name of ['a1', 'a2', 'a3']) request('a', name);
    request('b', 'b1');
    expect(log).toEqual(['a1', 'a2', 'b1']);
  });

  test('of units that wait start in turns, however many of one unit wait', () => {
    const { request, release, log, waiting } = startTurns({ maxInFlightPerUnit: 4 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']) request('a', name);
    request('b', 'b1');
    request('c', 'c1');
    expect(waiting()).toBe(5);
    for (const name of ['a1', 'a2', 'a3', 'a4']) release(name);
    expect(log.slice(4)).toEqual(['a5', 'b1', 'c1', 'a6']);
  });

  test('of a unit start in the order of their arrival, also when a place is free meanwhile', () => {
    const { request, release, log } = startTurns({ maxInFlight: 1 });
    for (const name of ['a1', 'a2', 'a3']) request('a', name);
    release('a1');
    request('a', 'a4');
    release('a2');
    release('a3');
    expect(log).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('are refused when too many of their unit wait, and those of another unit are not', () => {
    const { request, log } = startTurns();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) request('a', name);
    request('b', 'b1');
    expect(log).toEqual(['a1', 'a2', 'a6 full', 'b1']);
  });

  test('are refused after the maximum wait, and free no place twice', () => {
    const { request, release, log, waiting } = startTurns();
    for (const name of ['a1', 'a2', 'a3']) request('a', name);
    vi.advanceTimersByTime(1000);
    expect([log, waiting()]).toEqual([['a1', 'a2', 'a3 late'], 0]);
    release('a1');
    release('a1');
    for (const name of ['a4', 'a5']) request('a', name);
    expect(log.slice(3)).toEqual(['a4']);
  });

  test('of clients that have disconnected leave their turn to the next one', () => {
    const { request, release, log, abandoned } = startTurns();
    for (const name of ['a1', 'a2', 'a3', 'a4']) request('a', name);
    abandoned.add('a3');
    release('a1');
    expect(log.slice(2)).toEqual(['a3 abandoned', 'a4']);
  });
});
