import { useCommandRead } from '../../api/queries.ts';
import type { CheckinRates } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { refetchMs } from './use-devices.ts';

/** The check-ins of each door in each of the last 30 minutes. Minutes pass without a change, so they are read at an interval. */
export const useRates = (): CheckinRates | undefined =>
  useCommandRead<CheckinRates>('checkin.countPerMinute', { eventId: useEvent().id }, { refetchMs })
    .data;
