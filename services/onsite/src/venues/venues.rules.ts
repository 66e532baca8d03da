export type VenueDeletionDecision =
  | { outcome: 'delete' }
  | { outcome: 'gate_in_use'; sessionIds: readonly string[] };

/**
 * Decides whether a venue may be deleted. Its sessions would lose its gate and let in registrations
 * without its perks. A venue without perks has no gate.
 */
export function decideVenueDeletion(
  venue: { perkIds: readonly string[] },
  sessionIds: readonly string[],
  openGates: boolean,
): VenueDeletionDecision {
  if (openGates || venue.perkIds.length === 0 || sessionIds.length === 0) {
    return { outcome: 'delete' };
  }
  return { outcome: 'gate_in_use', sessionIds };
}
