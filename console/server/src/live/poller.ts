import { changeTypes } from '@event-api/contracts/changes';
import { getChangesHead, listChanges } from '@event-api/contracts/http/changes';
import { getCheckinSummary } from '@event-api/contracts/http/checkins';
import type { Operation } from '@event-api/contracts/operation';
import { every } from '@event-api/platform/core/every';
import type { CallerClaims } from '@event-api/platform/http/caller-tokens';
import { createServicePath } from '@event-api/platform/http/service-path';
import { z } from 'zod';
import { partUnavailable } from '../errors.ts';
import type { SendRequest, ServiceResponse } from '../owners/send.ts';
import { timeouts } from '../timeouts.ts';
import type { Unit } from '../units/units.queries.ts';
import type { LiveMessage, PartStatus } from './messages.ts';

/** An event that browsers watch. */
export interface WatchedEvent {
  unit: Unit;
  eventId: string;
}

/** Follows one event and passes on what it learns. */
export interface Poller {
  stop(): Promise<void>;
}

const Page = z.object({
  changes: z.array(z.object({ type: z.string() })),
  nextCursor: z.string(),
});
type Page = z.infer<typeof Page>;
const Head = z.object({ cursor: z.string() });

const summaryPath = createServicePath(getCheckinSummary.url);

const pageSize = 200;

/**
 * All but `checkin.created`: the counts announce it, and no other figure depends on it. A surge of
 * 200 scans per second would otherwise be read in full, only to send one name per second.
 */
const followedTypes = changeTypes.filter((type) => type !== 'checkin.created').join(',');

/**
 * The pages of changes that one message sums up. A sale or an import makes a few pages per second.
 */
const maxPagesPerMessage = 20;

/**
 * Follows the check-in counts and the changes of an event, as the console itself: one request of
 * each kind waits at the service, however many browsers watch. It publishes at most one message of
 * each kind per second, because each message costs work for every browser: during a surge at the
 * doors, the consoles must not slow down the scans. A part that is down is tried again and reported
 * once.
 */
export function startPoller(
  send: SendRequest,
  event: WatchedEvent,
  publish: (message: LiveMessage) => void,
): Poller {
  const status: Record<'summary' | 'changes', PartStatus> = {
    summary: 'pending',
    changes: 'pending',
  };
  const read = createReader(send, event);
  const publishStatus = () => publish({ name: 'status', data: { ...status } });
  publishStatus();

  function setStatus(part: keyof typeof status, value: PartStatus): void {
    if (status[part] === value) return;
    status[part] = value;
    publishStatus();
  }

  let etag: string | undefined;
  async function followSummary(): Promise<void> {
    const { status: code, headers, body } = await read.summary(etag);
    if (code === 304) return;
    if (code !== 200) throw partUnavailable('onsite', new Error(`the summary responded ${code}`));
    etag = headers.etag;
    publish({ name: 'summary', data: JSON.parse(body.toString()) });
  }

  /** The types of the changes after a cursor, up to the first page that is not full. */
  async function readNews(
    after: string,
  ): Promise<{ types: Set<string>; nextCursor: string } | 'lost'> {
    const types = new Set<string>();
    let nextCursor = after;
    for (let pages = 0; pages < maxPagesPerMessage; pages++) {
      const page = await read.changes(nextCursor);
      if (page === 'lost') return 'lost';
      nextCursor = page.nextCursor;
      for (const { type } of page.changes) types.add(type);
      if (page.changes.length < pageSize) break;
    }
    return { types, nextCursor };
  }

  let isRefreshDue = false;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  function publishChanges(data: { types: readonly string[]; isReset?: true }): void {
    publish({ name: 'changes', data });
    isRefreshDue = true;
  }
  function publishDueRefresh(): void {
    const now = performance.now();
    if (!isRefreshDue || now - refreshedAt < timeouts.liveRefreshMs) return;
    isRefreshDue = false;
    refreshedAt = now;
    publish({ name: 'refresh', data: {} });
  }

  let cursor: string | undefined;
  async function followChanges(): Promise<void> {
    const news = cursor === undefined ? 'lost' : await readNews(cursor);
    if (news === 'lost') {
      cursor = undefined;
      cursor = await read.head();
      // What happened before is unknown: what browsers have read until now may be older.
      publishChanges({ types: [], isReset: true });
    } else {
      cursor = news.nextCursor;
      if (news.types.size > 0) publishChanges({ types: [...news.types] });
    }
    publishDueRefresh();
  }

  const follow = (part: keyof typeof status, turn: () => Promise<void>) => {
    let pauseMs = timeouts.liveRetryPauseMs;
    return every(
      async () => {
        pauseMs = timeouts.liveRetryPauseMs;
        await turn();
        pauseMs = timeouts.livePauseMs;
        setStatus(part, 'current');
      },
      {
        immediately: true,
        intervalMs: () => pauseMs,
        onError: () => setStatus(part, 'away'),
      },
    );
  };
  const loops = [follow('summary', followSummary), follow('changes', followChanges)];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** The requests of a poller. Each waits up to five seconds for news. */
function createReader(send: SendRequest, { unit, eventId }: WatchedEvent) {
  const caller: CallerClaims = {
    audience: 'api',
    businessUnitId: unit.id,
    defaultCurrency: unit.defaultCurrency,
    // The feed limits the waiting requests of each key.
    keyId: `console ${eventId}`,
    permissions: ['changes', 'summary.read'],
    actor: { type: 'system', id: 'console' },
  };
  const get = (operation: Operation, path: string, headers: Record<string, string> = {}) =>
    send({ operation, path, caller, headers, timeoutMs: timeouts.apiMs, isLongPoll: true });
  /**
   * False for a feed of an earlier release, which rejects a type that it does not know. Then all
   * types are read.
   */
  let knowsTypes = true;
  const parsed = <Schema extends z.ZodType>(schema: Schema, { status, body }: ServiceResponse) => {
    if (status !== 200) throw partUnavailable('changes', new Error(`the feed responded ${status}`));
    return schema.parse(JSON.parse(body.toString()));
  };
  return {
    summary: (etag: string | undefined) =>
      get(
        getCheckinSummary,
        `${summaryPath({ eventId })}?wait=5`,
        etag === undefined ? {} : { 'if-none-match': etag },
      ),
    async head(): Promise<string> {
      return parsed(Head, await get(getChangesHead, getChangesHead.url)).cursor;
    },
    /** The changes after a cursor, or `lost` if the feed no longer has its history. */
    async changes(after: string): Promise<Page | 'lost'> {
      const query = { after, eventId, limit: String(pageSize), wait: '5' };
      const read = (filter: { types?: string }) =>
        get(listChanges, `${listChanges.url}?${new URLSearchParams({ ...query, ...filter })}`);
      let response = await read(knowsTypes ? { types: followedTypes } : {});
      if (response.status === 400 && knowsTypes) {
        knowsTypes = false;
        response = await read({});
      }
      return response.status === 412 ? 'lost' : parsed(Page, response);
    },
  };
}
