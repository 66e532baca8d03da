export interface TurnLimits {
  /** Requests in flight to one service, from one gateway. */
  maxInFlight: number;
  /**
   * Requests in flight of one business unit. Lower, so that no unit can occupy the service alone.
   */
  maxInFlightPerUnit: number;
  /** Waiting requests of one business unit. */
  maxWaitingPerUnit: number;
}

/** The requests to one service. */
export interface Load {
  inFlight: number;
  /** Requests in flight of the unit in question. */
  ofUnit: number;
  /** Waiting requests of the unit in question. */
  waitingOfUnit: number;
}

export type EntryDecision = { outcome: 'proceed' } | { outcome: 'wait' } | { outcome: 'reject' };

/** Decides a request that arrives. It never overtakes a waiting request of its own unit. */
export function decideEntry(load: Load, limits: TurnLimits): EntryDecision {
  if (load.waitingOfUnit >= limits.maxWaitingPerUnit) return { outcome: 'reject' };
  if (load.waitingOfUnit > 0 || !hasSlot(load, limits)) return { outcome: 'wait' };
  return { outcome: 'proceed' };
}

/**
 * Chooses the unit whose oldest request proceeds: the first in the order of turns that is below its
 * own limit. Null if none can proceed.
 */
export function nextUnit(
  unitsInTurn: Iterable<string>,
  { inFlight, ofUnit }: { inFlight: number; ofUnit: (unit: string) => number },
  limits: TurnLimits,
): string | null {
  for (const unit of unitsInTurn) {
    if (hasSlot({ inFlight, ofUnit: ofUnit(unit) }, limits)) return unit;
  }
  return null;
}

const hasSlot = ({ inFlight, ofUnit }: Pick<Load, 'inFlight' | 'ofUnit'>, limits: TurnLimits) =>
  inFlight < limits.maxInFlight && ofUnit < limits.maxInFlightPerUnit;
