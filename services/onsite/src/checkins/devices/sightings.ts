import { systemClock } from '@event-api/platform/core/clock';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import type { Sighting } from './devices.queries.ts';

/**
 * The last requests of devices that are not stored yet. Collecting them costs a scan no statement,
 * and a process that is killed loses those of a few seconds.
 */
export interface Sightings {
  /** Remembers a request of a device. Other callers are ignored. */
  add(caller: Caller): void;
  /** Returns what was added since the last call, each device once. */
  take(): Sighting[];
}

export function createSightings(): Sightings {
  let byDevice = new Map<string, Sighting>();
  return {
    add(caller) {
      const sighting = sightingOf(caller);
      if (sighting) byDevice.set(sighting.deviceId, sighting);
    },
    take() {
      const taken = [...byDevice.values()];
      byDevice = new Map();
      return taken;
    },
  };
}

/** A device with its event now, or null for any other caller. */
export function sightingOf({ actor, businessUnitId, events }: Caller): Sighting | null {
  const eventId = events?.[0];
  if (actor.type !== 'device' || !actor.id || eventId === undefined) return null;
  return { deviceId: actor.id, businessUnitId, eventId, seenAt: systemClock.now() };
}
