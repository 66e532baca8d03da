import { decideAllowance, maxPerProcess } from './targets.rules.ts';

/** The requests that this process may have in flight, shared by its endpoints. */
export interface Slots {
  /**
   * How many more requests an endpoint with `inFlight` running ones may begin. `wake` is called
   * once when more may be possible, in the order of the calls.
   */
  allowance(inFlight: number, wake: () => void): number;
  take(): void;
  release(): void;
  used(): number;
}

export function createSlots(size = maxPerProcess): Slots {
  const waiting = new Set<() => void>();
  let used = 0;
  return {
    allowance(inFlight, wake) {
      if (decideAllowance(size, inFlight) > decideAllowance(size - used, inFlight))
        waiting.add(wake);
      return decideAllowance(size - used, inFlight);
    },
    take() {
      used += 1;
    },
    release() {
      used -= 1;
      const [first] = waiting;
      if (!first) return;
      waiting.delete(first);
      first();
    },
    used: () => used,
  };
}
