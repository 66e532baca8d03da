import type { KeyGroup } from '@event-api/contracts/permissions';

/** What the dialogs contain. */
export interface KeyValues {
  name: string;
  expiresAt: string | null;
  /** Whether the key may do everything in the business unit. */
  isUnrestricted: boolean;
  groups: KeyGroup[];
  eventIds: string[];
}

/** A new key permits nothing until somebody chooses what it is for. */
export const newKey: KeyValues = {
  name: '',
  expiresAt: null,
  isUnrestricted: false,
  groups: [],
  eventIds: [],
};

/** The input of `key.create`. */
export interface KeyInput {
  name: string;
  expiresAt: string | null;
  /** Absent for an unrestricted key. */
  groups?: KeyGroup[];
  /** Absent for a key of all events. */
  eventIds?: string[];
}

/** What is chosen for a restricted key does not count for an unrestricted one. */
export const inputOf = ({
  name,
  expiresAt,
  isUnrestricted,
  groups,
  eventIds,
}: KeyValues): KeyInput => ({
  name: name.trim(),
  expiresAt,
  ...(!isUnrestricted && { groups, ...(eventIds.length > 0 && { eventIds }) }),
});

/** The input of `key.update`: only what was changed. No event means all of them. */
export const changeOf = ({ name, expiresAt, groups, eventIds }: Partial<KeyValues>) => ({
  ...(name !== undefined && { name: name.trim() }),
  ...(expiresAt !== undefined && { expiresAt }),
  ...(groups !== undefined && { groups }),
  ...(eventIds !== undefined && { eventIds: eventIds.length > 0 ? eventIds : null }),
});
