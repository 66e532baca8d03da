import type { SubjectType } from '@event-api/contracts/http/checkins';
import type { DeviceState } from '@event-api/contracts/operator/devices';

/** A door by its kind and the id of its record. */
export interface Door {
  subjectType: SubjectType;
  subjectId: string;
}

/** A door as its owner knows it. */
export interface NamedDoor extends Door {
  /** Null for the door of the event, and for a door that does not exist any more. */
  name: string | null;
}

const kinds: Record<string, SubjectType> = { evt: 'event', ses: 'session', ven: 'venue' };

/** The door of a stored id. Its prefix tells its kind. */
export const doorOf = (subjectId: string): Door => ({
  subjectType: kinds[subjectId.slice(0, 3)] ?? 'event',
  subjectId,
});

const isSame = (one: Door, other: Door): boolean =>
  one.subjectType === other.subjectType && one.subjectId === other.subjectId;

/** The doors of a request, in which the door of the event needs no id. */
export const doorsOf = (
  doors: readonly { subjectType: SubjectType; subjectId?: string | undefined }[],
  eventId: string,
): Door[] => doors.map(({ subjectType, subjectId = eventId }) => ({ subjectType, subjectId }));

/** Returns the fields of the doors that the event does not have now. */
export function unknownDoors(
  doors: readonly Door[],
  ofEvent: { doors: readonly NamedDoor[] },
): string[] {
  const present = ofEvent.doors.filter(({ subjectType, name }) => subjectType === 'event' || name);
  return doors.flatMap((door, index) =>
    present.some((one) => isSame(one, door)) ? [] : [`doors[${index}].subjectId`],
  );
}

/** Adds the names that the owner has for doors. */
export const withNames = (
  subjectIds: readonly string[],
  ofEvent: { doors: readonly NamedDoor[] },
): NamedDoor[] =>
  subjectIds.map((subjectId) => {
    const door = doorOf(subjectId);
    return { ...door, name: ofEvent.doors.find((one) => isSame(one, door))?.name ?? null };
  });

/** Decides the state of a device by its newest credential. */
export function deviceState(
  credential: { kind: string; expiresAt: Date; revokedAt: Date | null },
  now: Date,
): DeviceState {
  if (credential.revokedAt) return 'revoked';
  if (credential.expiresAt <= now) return 'expired';
  return credential.kind === 'device' ? 'paired' : 'waiting';
}

/**
 * Decides how long the token of a device is valid: a day, or until the event is over, with time for
 * its last scans. `eventEndsAt` is null for a device of a day.
 */
export function tokenExpiry(
  eventEndsAt: Date | null,
  now: Date,
  lifetimes: { dayMs: number; afterEventMs: number; maxMs: number },
): Date {
  const day = now.getTime() + lifetimes.dayMs;
  if (eventEndsAt === null) return new Date(day);
  const afterEvent = eventEndsAt.getTime() + lifetimes.afterEventMs;
  return new Date(Math.min(Math.max(afterEvent, day), now.getTime() + lifetimes.maxMs));
}
