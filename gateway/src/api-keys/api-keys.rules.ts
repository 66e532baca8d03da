import type { Cell } from '@event-api/contracts/cells';
import type { KeyGroup, Permission } from '@event-api/contracts/permissions';
import {
  permissionsOfDevice,
  permissionsOfGroups,
  permissionsOfNamedDevice,
  permissionsOfPairing,
} from '@event-api/contracts/permissions';

/**
 * The limits of a credential; its permissions, and its only events and doors if it has such a list.
 */
export interface Access {
  permissions: readonly Permission[];
  events: readonly string[] | null;
  doors: readonly string[] | null;
}

/** The columns of a credential that limit it. */
export interface StoredAccess {
  kind: string | null;
  groups: readonly string[] | null;
  eventIds: readonly string[] | null;
  doors: readonly string[] | null;
  /** Whether a device may show names. */
  showNames: boolean | null;
}

/** A key as the gateway caches it. */
export interface ApiKeyRecord {
  id: string;
  kind: string;
  /** Null for an unrestricted key, which needs no check. */
  access: Access | null;
  /** The device of the credential, if it is one. */
  deviceId: string | null;
  businessUnitId: string;
  defaultCurrency: string;
  version: string;
  rateLimitPerMinute: number | null;
  checkinRateLimitPerMinute: number | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export type KeyDecision = { outcome: 'valid'; key: ApiKeyRecord } | { outcome: 'invalid' };

/**
 * `throttled` when too many look-ups or tries of short codes are made. `other_cell` when the text
 * of the credential names another cell; it is not looked up.
 */
export type Authentication =
  | KeyDecision
  | { outcome: 'throttled'; resetSeconds: number }
  | { outcome: 'other_cell'; cell: Cell };

/** Returns the limits of a credential. A kind that this release does not know may do nothing. */
export function accessOf(stored: StoredAccess): Access | null {
  const { kind, eventIds, doors } = stored;
  if (kind === null || kind === 'key') return null;
  return { permissions: permissionsOf(stored), events: eventIds, doors };
}

function permissionsOf({ kind, groups, showNames }: StoredAccess): readonly Permission[] {
  if (kind === 'restricted') return permissionsOfGroups((groups ?? []) as KeyGroup[]);
  if (kind === 'device') return showNames ? permissionsOfNamedDevice : permissionsOfDevice;
  return kind === 'pairing' ? permissionsOfPairing : [];
}

/** Returns whether a key may have this expiry. Null means that it never expires. */
export const isValidExpiry = (expiresAt: Date | null | undefined, now: Date): boolean =>
  !expiresAt || expiresAt > now;

/** Returns whether a key has expired. */
export const isExpired = (
  { expiresAt }: { expiresAt?: Date | null | undefined },
  now: Date,
): boolean => !!expiresAt && expiresAt <= now;

/**
 * Decides whether a key is valid now. The decision does not tell unknown, revoked and expired keys
 * apart, so responses cannot reveal it.
 */
export function decideKey(key: ApiKeyRecord | null, now: Date): KeyDecision {
  if (!key || key.revokedAt || isExpired(key, now)) return { outcome: 'invalid' };
  return { outcome: 'valid', key };
}
