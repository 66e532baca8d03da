import { decideAllowance, maxPerProcess } from './targets.rules.ts';

/** The requests that this process may have in flight, shared by its endpoints. */
export interface Slots {
  /**
   * How many more requests an endpoint with `inFlight` running ones may begin. `wake` is called
   * once when more may be possible, in the order of the calls.
   */
  allowance(businessUnitId: string, inFlight: number, wake: () => void): number;
  /** Takes a slot for a request of this business unit. Call the result once when it has ended. */
  take(businessUnitId: string): () => void;
  used(): number;
  /** How long the oldest request has been in flight, in milliseconds; 0 without one. */
  oldestMs(): number;
}

export function createSlots(size = maxPerProcess): Slots {
  const waiting = new Map<() => void, string>();
  const taken = new Set<{ businessUnitId: string; at: number }>();
  const usedByUnit = new Map<string, number>();
  const allowanceOf = (businessUnitId: string, inFlight: number) =>
    decideAllowance({
      free: size - taken.size,
      usedByUnit: usedByUnit.get(businessUnitId) ?? 0,
      inFlight,
    });

  function release(slot: { businessUnitId: string; at: number }): void {
    const { businessUnitId } = slot;
    if (!taken.delete(slot)) return;
    const left = (usedByUnit.get(businessUnitId) ?? 0) - 1;
    if (left > 0) usedByUnit.set(businessUnitId, left);
    else usedByUnit.delete(businessUnitId);
    for (const [wake, unit] of waiting) {
      if (allowanceOf(unit, 0) === 0) continue;
      waiting.delete(wake);
      wake();
      return;
    }
  }

  return {
    allowance(businessUnitId, inFlight, wake) {
      const allowed = allowanceOf(businessUnitId, inFlight);
      if (allowed < decideAllowance({ free: size, usedByUnit: 0, inFlight }))
        waiting.set(wake, businessUnitId);
      return allowed;
    },
    take(businessUnitId) {
      const slot = { businessUnitId, at: performance.now() };
      taken.add(slot);
      usedByUnit.set(businessUnitId, (usedByUnit.get(businessUnitId) ?? 0) + 1);
      return () => release(slot);
    },
    used: () => taken.size,
    oldestMs() {
      const [oldest] = taken;
      return oldest ? performance.now() - oldest.at : 0;
    },
  };
}
