import { anyFeedNotice, unitOfFeedNotice } from '@event-api/contracts/messages/changes';
import { every } from '@event-api/platform/core/every';
import type { Bus } from '@event-api/platform/messaging/bus/connect';
import type { Job } from '@event-api/platform/service/run-service';
import { timeouts } from '../timeouts.ts';
import type { Waiting } from './waiting.ts';

/**
 * Wakes the waiting requests of a business unit when its feed has new changes, and once a second in
 * case a notice was lost.
 */
export function startWaking(deps: { bus: Pick<Bus, 'onNotification'>; waiting: Waiting }): Job {
  const { bus, waiting } = deps;
  bus.onNotification(anyFeedNotice, (subject) => waiting.wake(unitOfFeedNotice(subject)));
  return every(
    async () => {
      for (const unit of waiting.units()) waiting.wake(unit);
    },
    {
      intervalMs: timeouts.waitPollIntervalMs,
      onError: () => {},
    },
  );
}
