import { type QueryOptions, useCommandRead } from '../../api/api.queries.ts';
import type { DeviceActivity, PairedDevice } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';

/** How often pages that show devices read them again. */
export const refetchMs = 10_000;

/**
 * The devices of the event. No change of the feed reports them, so they are read again at an
 * interval.
 */
export const useDevices = (intervalMs: number, options: QueryOptions = {}) =>
  useCommandRead<{ devices: PairedDevice[] }>(
    'device.list',
    { eventId: useEvent().id },
    { ...options, refetchMs: intervalMs },
  );

/** When the devices of the event were seen, and what they have reported. */
export const useDeviceActivity = () =>
  useCommandRead<{ devices: DeviceActivity[] }>(
    'device.listActivity',
    { eventId: useEvent().id },
    { refetchMs },
  );
