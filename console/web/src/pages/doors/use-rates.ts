import { useEffect } from 'react';
import { useCommandRead } from '../../api/queries.ts';
import type { CheckinRates } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { refetchMs } from './use-devices.ts';

/** The counts of the server are up to two seconds old. */
const settledMs = 2500;

/**
 * The check-ins of each door in each of the last 30 minutes. Minutes pass without a change, so they are read at an interval, and
 * also after a change of `total`, the number of check-ins.
 */
export function useRates(total: number | undefined): CheckinRates | undefined {
  const { data, refetch } = useCommandRead<CheckinRates>(
    'checkin.countPerMinute',
    { eventId: useEvent().id },
    { refetchMs },
  );
  useEffect(() => {
    if (total === undefined) return;
    const timer = setTimeout(() => void refetch(), settledMs);
    return () => clearTimeout(timer);
  }, [total, refetch]);
  return data;
}
