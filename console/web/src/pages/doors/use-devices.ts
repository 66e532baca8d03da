import { type QueryOptions, useCommandRead } from '../../api/queries.ts';
import type { DeviceActivity, PairedDevice } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';

/** The devices of the event. No change of the feed reports them, so they are read again at an interval. */
export const useDevices = (refetchMs: number, options: QueryOptions = {}) =>
  useCommandRead<{ devices: PairedDevice[] }>(
    'device.list',
    { eventId: useEvent().id },
    { ...options, refetchMs },
  );

/** When the devices of the event were seen, and what they have reported. */
export const useDeviceActivity = (refetchMs: number) =>
  useCommandRead<{ devices: DeviceActivity[] }>(
    'device.listActivity',
    { eventId: useEvent().id },
    { refetchMs },
  );
