import type { CheckinSummary } from '@event-api/contracts/http/checkins';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { send } from '../api/client.ts';
import { observeConnection } from '../api/connection.ts';
import { type Door, keyOf, type Pairing } from '../api/device.ts';
import { useObservable } from '../api/observable.ts';
import { countsAt, type DoorCounts, plus, since } from '../store/door-counts.ts';
import { readCounts, storeCounts } from '../store/read-counts.ts';
import { admitted, countUnsentAdmissions } from '../store/scans.ts';

export interface Counts {
  /** Check-ins at this door. */
  door: number;
  /** Check-ins at all doors; null before the first response. */
  all: number | null;
}

const intervalMs = 5000;

/** Counts as of a moment, and whom this page had let in until then. */
interface Base {
  counts: DoorCounts;
  admitted: DoorCounts;
}

/**
 * Reads the counts every five seconds while the page is shown, which also shows whether the
 * platform responds. What this device lets in counts at once, and also without a network.
 */
export function useCounts({ token, device }: Pairing, door: Door, onEnded: () => void): Counts {
  const [base, setBase] = useState<Base | null>(null);
  const now = useObservable(admitted);
  const eventId = device.event.id;
  useEffect(() => {
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** Adds the scans that the platform does not have to its counts. */
    const show = (counts: DoorCounts, unsent: DoorCounts, until: DoorCounts) => {
      if (!isLeft) setBase({ counts: plus(counts, unsent), admitted: until });
    };
    const read = async () => {
      clearTimeout(timer);
      if (!document.hidden) {
        const until = admitted.get();
        const unsent = await countUnsentAdmissions(eventId);
        const path = `/v1/events/${encodeURIComponent(eventId)}/checkins/summary`;
        const response = await send({ path, bearer: token });
        if (isLeft) return;
        observeConnection(response.status);
        if (response.status === 401) return onEnded();
        if (response.status === 200) {
          const { doors } = response.body as z.output<typeof CheckinSummary>;
          const counts = new Map(doors.map((each) => [keyOf(each), each.checkedIn]));
          storeCounts(eventId, counts);
          show(counts, unsent, until);
        }
      }
      timer = setTimeout(readNow, intervalMs);
    };
    const readNow = () => void read().catch(console.error);
    // A page that opens without a network goes on with the counts of the former one.
    const former = readCounts(eventId);
    const until = admitted.get();
    if (former) {
      countUnsentAdmissions(eventId).then((unsent) => show(former, unsent, until), console.error);
    }
    readNow();
    addEventListener('online', readNow);
    document.addEventListener('visibilitychange', readNow);
    return () => {
      isLeft = true;
      clearTimeout(timer);
      removeEventListener('online', readNow);
      document.removeEventListener('visibilitychange', readNow);
    };
  }, [eventId, token, onEnded]);
  if (base === null) return { door: 0, all: null };
  return countsAt(plus(base.counts, since(now, base.admitted)), keyOf(door));
}
