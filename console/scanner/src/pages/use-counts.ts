import type { CheckinSummary } from '@event-api/contracts/http/checkins';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { send } from '../api/client.ts';
import { observeConnection } from '../api/connection.ts';
import { type Door, keyOf, type Pairing } from '../api/device.ts';

export interface Counts {
  /** Check-ins at this door. */
  door: number;
  /** Check-ins at all doors; null before the first response. */
  all: number | null;
}

const intervalMs = 5000;

/**
 * Reads the counts every five seconds while the page is shown, which also shows whether the
 * platform responds.
 */
export function useCounts({ token, device }: Pairing, door: Door, onEnded: () => void): Counts {
  const [counts, setCounts] = useState<Counts>({ door: 0, all: null });
  const eventId = device.event.id;
  const key = keyOf(door);
  useEffect(() => {
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      clearTimeout(timer);
      if (!document.hidden) {
        const path = `/v1/events/${encodeURIComponent(eventId)}/checkins/summary`;
        const response = await send({ path, bearer: token });
        if (isLeft) return;
        observeConnection(response.status);
        if (response.status === 401) return onEnded();
        if (response.status === 200) {
          const { checkedIn, doors } = response.body as z.output<typeof CheckinSummary>;
          const own = doors.find((each) => keyOf(each) === key);
          setCounts({ door: own?.checkedIn ?? 0, all: checkedIn });
        }
      }
      timer = setTimeout(() => void read(), intervalMs);
    };
    const readNow = () => void read();
    readNow();
    addEventListener('online', readNow);
    document.addEventListener('visibilitychange', readNow);
    return () => {
      isLeft = true;
      clearTimeout(timer);
      removeEventListener('online', readNow);
      document.removeEventListener('visibilitychange', readNow);
    };
  }, [eventId, token, key, onEnded]);
  return counts;
}
