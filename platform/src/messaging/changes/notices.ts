import { changeNoticeSubject } from '@event-api/contracts/messages/changes';
import { changeTimeouts } from '../../core/timeouts.ts';
import type { Bus } from '../bus/connect.ts';

/**
 * Announces new changes to the feed, so that it reads them at once. A lost notice only delays them.
 */
export interface ChangeNotices {
  /** Announces changes that are committed. Several within a short time share one notice. */
  send(): void;
  close(): void;
}

export function createChangeNotices(
  bus: Pick<Bus, 'notify' | 'onConnect'>,
  owner: string,
): ChangeNotices {
  const subject = changeNoticeSubject(owner);
  let pause: NodeJS.Timeout | null = null;
  let isPending = false;

  function send(): void {
    if (pause) {
      isPending = true;
      return;
    }
    bus.notify(subject);
    pause = setTimeout(() => {
      pause = null;
      if (!isPending) return;
      isPending = false;
      send();
    }, changeTimeouts.noticeIntervalMs);
  }

  // A notice that was to be sent without a connection is lost, so one follows each connect.
  bus.onConnect(send);
  return {
    send,
    close() {
      if (pause) clearTimeout(pause);
    },
  };
}
