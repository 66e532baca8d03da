import { feedNoticeSubject } from '@event-api/contracts/messages/changes';
import type { Bus } from '@event-api/platform/messaging/bus/connect';

/** Announces new changes to the processes in which requests wait, this one included. */
export function notifyUnits(bus: Pick<Bus, 'notify'>, units: readonly string[]): void {
  for (const unit of units) bus.notify(feedNoticeSubject(unit));
}
