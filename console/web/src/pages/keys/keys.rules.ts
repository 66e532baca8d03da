import type { KeyGroup } from '@event-api/contracts/permissions';

/** What the dialog contains. */
export interface KeyValues {
  name: string;
  expiresAt: string | null;
  groups: KeyGroup[];
  eventIds: string[];
}

/** The input of `key.create`. */
export interface KeyInput {
  name: string;
  expiresAt: string | null;
  /** Absent for an unrestricted key. */
  groups?: KeyGroup[];
  /** Absent for a key of all events. */
  eventIds?: string[];
}

/**
 * A key with a group is restricted. Without one it is unrestricted, and events that were chosen
 * before are left out.
 */
export const inputOf = ({ name, expiresAt, groups, eventIds }: KeyValues): KeyInput => ({
  name: name.trim(),
  expiresAt,
  ...(groups.length > 0 && { groups, ...(eventIds.length > 0 && { eventIds }) }),
});
