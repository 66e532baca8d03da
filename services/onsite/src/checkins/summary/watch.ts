import type { EventScope } from '@event-api/contracts/internal/scope';
import { every, type Loop } from '@event-api/platform/core/every';
import { timeouts } from '../../timeouts.ts';

/** A summary with the tag of its content. */
export interface Tagged<Summary> {
  tag: string;
  summary: Summary;
}

/**
 * The requests of this process that wait until the summary of an event changes. One loop per event
 * reads for all of them, so a waiting request uses no database connection.
 */
export interface Watch<Summary> {
  /**
   * Resolves with the summary once its tag is not `tag`, and with null after `ms`, or at once when
   * the process drains or too many requests wait in it.
   */
  next(scope: EventScope, tag: string, ms: number): Promise<Tagged<Summary> | null>;
  /** Ends all waits. No request waits from now on. */
  drain(): void;
}

/** The most requests of a process that wait at a time. */
const maxWaiting = 2000;

interface Waiter<Summary> {
  tag: string;
  wake(found: Tagged<Summary> | null): void;
}

interface WatchedEvent<Summary> {
  waiters: Set<Waiter<Summary>>;
  loop: Loop;
}

export function createWatch<Summary>(options: {
  read: (scope: EventScope) => Promise<Tagged<Summary>>;
  onError: (error: unknown) => void;
}): Watch<Summary> {
  const { read, onError } = options;
  const byEvent = new Map<string, WatchedEvent<Summary>>();
  let waiting = 0;
  let isDraining = false;

  function watched(scope: EventScope): WatchedEvent<Summary> {
    const key = `${scope.businessUnitId} ${scope.eventId}`;
    const existing = byEvent.get(key);
    if (existing) return existing;
    const waiters = new Set<Waiter<Summary>>();
    const turn = async () => {
      const found = await read(scope);
      for (const waiter of [...waiters]) if (waiter.tag !== found.tag) waiter.wake(found);
      if (waiters.size > 0 || byEvent.get(key) !== created) return;
      byEvent.delete(key);
      // It resolves after this turn.
      void created.loop.stop();
    };
    const intervalMs = timeouts.summaryIntervalMs;
    const created = { waiters, loop: every(turn, { intervalMs, onError }) };
    byEvent.set(key, created);
    return created;
  }

  return {
    async next(scope, tag, ms) {
      if (isDraining || waiting >= maxWaiting) return null;
      const { waiters } = watched(scope);
      waiting += 1;
      let timer: NodeJS.Timeout | undefined;
      let waiter: Waiter<Summary> | undefined;
      const found = await new Promise<Tagged<Summary> | null>((resolve) => {
        timer = setTimeout(resolve, ms, null);
        waiter = { tag, wake: resolve };
        waiters.add(waiter);
      });
      clearTimeout(timer);
      if (waiter) waiters.delete(waiter);
      waiting -= 1;
      return found;
    },
    drain() {
      isDraining = true;
      for (const { waiters, loop } of byEvent.values()) {
        for (const waiter of waiters) waiter.wake(null);
        void loop.stop();
      }
      byEvent.clear();
    },
  };
}
