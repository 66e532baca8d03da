import type { Device } from '@event-api/contracts/http/devices';
import type { PairedDevice } from '@event-api/contracts/operator/devices';
import type { z } from 'zod';
import type { DeviceRow } from './devices.queries.ts';
import { deviceState, doorOf, type NamedDoor, withNames } from './devices.rules.ts';

/** A device as operators read it. */
export const deviceView = (row: DeviceRow, now: Date): z.input<typeof PairedDevice> => ({
  id: row.deviceId,
  businessUnitId: row.businessUnitId,
  eventId: row.eventIds[0] ?? '',
  name: row.name,
  doors: row.doors.map(doorOf),
  showNames: row.showNames,
  state: deviceState(row, now),
  pairedAt: row.kind === 'device' ? row.createdAt.toISOString() : null,
  expiresAt: row.expiresAt.toISOString(),
  revokedAt: row.revokedAt?.toISOString() ?? null,
});

/** A device as it reads itself. */
export const ownView = (
  row: Omit<DeviceRow, 'kind' | 'createdAt'>,
  event: { id: string; name: string; timezone: string },
  ofEvent: { doors: readonly NamedDoor[] },
): z.input<typeof Device> => ({
  id: row.deviceId,
  name: row.name,
  event: { id: event.id, name: event.name, timezone: event.timezone },
  doors: withNames(row.doors, ofEvent),
  showNames: row.showNames,
  expiresAt: row.expiresAt.toISOString(),
});
