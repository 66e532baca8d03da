import type { RegistrationStatus } from '@event-api/contracts/http/registrations';

/** The registration behind a badge, with all the perks that it has from whatever source. */
export interface Badge {
  id: string;
  checkinCode: string;
  status: RegistrationStatus;
  perkIds: readonly string[];
}

/** What a scan shows: an id, a badge code, or both. */
export interface PresentedBadge {
  registrationId?: string | undefined;
  checkinCode?: string | undefined;
}

/** Gates that stand before a door, one behind the other; each opens for any of its perks. */
export type Gates = readonly (readonly string[])[];

export type CheckinDecision =
  | { outcome: 'admitted'; registrationId: string }
  | { outcome: 'unknown' }
  | { outcome: 'not_the_same_person' }
  | { outcome: 'not_confirmed' }
  | { outcome: 'gate_closed' };

/**
 * Whether a badge opens a door: first that it is somebody's, then that they are confirmed, then the
 * gates. Whether they have passed before is for the table to say. Source: docs/algorithms/check-in.md.
 */
export function decideCheckin(
  presented: PresentedBadge,
  badge: Badge | null,
  gates: Gates,
): CheckinDecision {
  if (!badge) return { outcome: 'unknown' };
  if (presented.checkinCode !== undefined && presented.checkinCode !== badge.checkinCode) {
    return { outcome: 'not_the_same_person' };
  }
  if (badge.status !== 'confirmed') return { outcome: 'not_confirmed' };
  if (!gates.every((gate) => opens(gate, badge.perkIds))) return { outcome: 'gate_closed' };
  return { outcome: 'admitted', registrationId: badge.id };
}

const opens = (gate: readonly string[], perkIds: readonly string[]): boolean =>
  gate.length === 0 || gate.some((perkId) => perkIds.includes(perkId));
