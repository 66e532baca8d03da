import { type QueryOptions, useCommandRead } from '../../api/queries.ts';
import type { PairedDevice } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';

/** The devices of the event. No change of the feed reports them, so they are read again at an interval. */
export const useDevices = (refetchMs: number, options: QueryOptions = {}) =>
  useCommandRead<{ devices: PairedDevice[] }>(
    'device.list',
    { eventId: useEvent().id },
    { ...options, refetchMs },
  );
