import type { RegistrationStatus } from '@event-api/contracts/http/registrations';

/** The registration of a badge, with its perks from all sources. */
export interface Badge {
  id: string;
  checkinCode: string;
  status: RegistrationStatus;
  perkIds: readonly string[];
}

/** The input of a scan: an id, a badge code, or both. */
export interface PresentedBadge {
  registrationId?: string | undefined;
  checkinCode?: string | undefined;
}

/** The gates of a door, all of which must open. A gate opens for any of its perks. */
export type Gates = readonly (readonly string[])[];

export type CheckinDecision =
  | { outcome: 'admitted'; registrationId: string }
  | { outcome: 'unknown' }
  | { outcome: 'badge_mismatch' }
  | { outcome: 'not_confirmed' }
  | { outcome: 'gate_closed' };

/**
 * Decides whether a badge opens a door. Checks in this order: the badge exists, the registration is confirmed, the
 * gates open. Earlier check-ins are left to the unique constraint of the table. Source: docs/algorithms/check-in.md.
 */
export function decideCheckin(
  presented: PresentedBadge,
  badge: Badge | null,
  gates: Gates,
): CheckinDecision {
  if (!badge) return { outcome: 'unknown' };
  if (presented.checkinCode !== undefined && presented.checkinCode !== badge.checkinCode) {
    return { outcome: 'badge_mismatch' };
  }
  if (badge.status !== 'confirmed') return { outcome: 'not_confirmed' };
  if (!gates.every((gate) => opens(gate, badge.perkIds))) return { outcome: 'gate_closed' };
  return { outcome: 'admitted', registrationId: badge.id };
}

const opens = (gate: readonly string[], perkIds: readonly string[]): boolean =>
  gate.length === 0 || gate.some((perkId) => perkIds.includes(perkId));
