import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '@event-api/platform/db/database';
import { timeouts } from '../timeouts.ts';
import { type FeedFilter, type FeedPage, readPage } from './page.ts';
import type { Waiting } from './waiting.ts';

/**
 * Reads a page, and waits for changes while it is not full: until 500 ms after the first change, at
 * most `waitSeconds`. Each read continues where the one before it ended, at most five times a
 * second, so that a surge of changes costs little. Errors: as for reading a page; 429 when the key
 * has too many waiting requests.
 */
export async function followFeed(
  deps: { db: Db; waiting: Waiting },
  caller: { businessUnitId: string; keyId: string },
  {
    waitSeconds,
    ...query
  }: FeedFilter & { after?: string | undefined; limit: number; waitSeconds: number },
): Promise<FeedPage> {
  const { businessUnitId } = caller;
  let endAt = performance.now() + waitSeconds * 1000;
  const entries: string[] = [];
  let { after } = query;
  for (let isLast = waitSeconds === 0; ; ) {
    const limit = query.limit - entries.length;
    const readAt = performance.now();
    const page = await readPage(deps.db, businessUnitId, { ...query, after, limit });
    if (entries.length === 0 && page.entries.length > 0)
      endAt = Math.min(endAt, performance.now() + timeouts.gatherMs);
    entries.push(...page.entries);
    if (isLast || entries.length >= query.limit) return { ...page, entries };
    after = page.nextCursor;
    const leftMs = endAt - performance.now();
    // After the time a last read returns what has arrived meanwhile. A timer may end up to a
    // millisecond early.
    isLast = leftMs < 1 || !(await deps.waiting.wait(caller, leftMs));
    if (!isLast) await pauseUntil(Math.min(readAt + timeouts.readIntervalMs, endAt));
  }
}

const pauseUntil = (instant: number): Promise<void> =>
  pause(Math.max(0, instant - performance.now()));
