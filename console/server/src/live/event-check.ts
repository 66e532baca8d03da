import { getCheckinSummary } from '@event-api/contracts/http/checkins';
import { ApiError, notFound } from '@event-api/platform/core/errors';
import { createServicePath } from '@event-api/platform/http/service-path';
import type { SendRequest } from '../owners/send.ts';
import { timeouts } from '../timeouts.ts';
import type { WatchedEvent } from './poller.ts';
import { keyOf } from './watch.ts';

const summaryPath = createServicePath(getCheckinSummary.url);

/**
 * Requires that an event exists, before its stream opens. Many streams of an event that open at
 * once share one request, so that operators who open their overviews during a surge do not slow
 * down the doors. While its owner is down, the stream opens nevertheless and says so. Errors: 404.
 */
export function createEventCheck(
  send: SendRequest,
): (event: WatchedEvent, requestId: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  return (event, requestId) => {
    const key = keyOf(event);
    const shared = running.get(key);
    if (shared) return shared;
    const check = checkEvent(send, event, requestId).finally(() => running.delete(key));
    running.set(key, check);
    return check;
  };
}

async function checkEvent(
  send: SendRequest,
  { unit, eventId }: WatchedEvent,
  requestId: string,
): Promise<void> {
  const found = await send({
    operation: getCheckinSummary,
    path: summaryPath({ eventId }),
    caller: {
      audience: 'api',
      businessUnitId: unit.id,
      defaultCurrency: unit.defaultCurrency,
      permissions: ['summary.read'],
      actor: { type: 'system', id: 'console' },
    },
    headers: { 'x-request-id': requestId },
    timeoutMs: timeouts.apiMs,
  }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code >= 500) return null;
    throw error;
  });
  if (found?.status === 404) throw notFound();
}
