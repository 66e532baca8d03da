/** How far a standby has received the log of the primary. Null: it cannot be reached. */
export interface StandbyState {
  name: string;
  /** A position in the log, in bytes. */
  receivedTo: bigint | null;
}

export type PromotionDecision =
  | { outcome: 'promote'; name: string }
  /** An unreachable standby may still confirm commits of the old primary, or be further than the others. */
  | { outcome: 'wait'; reason: string };

/**
 * Decides which standby replaces a lost primary whose commits wait for `confirmations` standbys. It
 * may be replaced only if so many standbys are reached that any `confirmations` of them include one
 * of these: the furthest of them then has every confirmed commit, and the old primary confirms none
 * any more, because they have left it.
 */
export function decidePromotion(
  standbys: readonly StandbyState[],
  confirmations: number,
): PromotionDecision {
  const reached = standbys.filter(
    (standby): standby is StandbyState & { receivedTo: bigint } => standby.receivedTo !== null,
  );
  if (reached.length + Math.max(confirmations, 1) <= standbys.length) {
    return {
      outcome: 'wait',
      reason: `only ${reached.length} of ${standbys.length} standbys respond`,
    };
  }
  const [furthest] = reached.toSorted((one, other) =>
    one.receivedTo < other.receivedTo ? 1 : one.receivedTo > other.receivedTo ? -1 : 0,
  );
  return furthest
    ? { outcome: 'promote', name: furthest.name }
    : { outcome: 'wait', reason: 'no standby responds' };
}
