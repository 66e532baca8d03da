import { tooManyWaiting } from '../errors.ts';

/** The most requests of a key, and of a process, that wait at a time. */
const maxPerKey = 4;
const maxPerProcess = 2000;

/**
 * The requests of this process that wait for changes. A waiting request uses no database
 * connection.
 */
export interface Waiting {
  /**
   * Resolves with true when the business unit may have new changes, and with false after `ms`, or
   * at once when the process drains or too many requests wait in it. Errors: 429 when the key has
   * too many waiting requests.
   */
  wait(request: { businessUnitId: string; keyId: string }, ms: number): Promise<boolean>;
  /** Wakes the requests of a business unit. */
  wake(businessUnitId: string): void;
  /** The business units with waiting requests. */
  units(): string[];
  size(): number;
  /** Wakes all requests. No request waits from now on. */
  drain(): void;
}

export function createWaiting(): Waiting {
  const byUnit = new Map<string, Set<() => void>>();
  const byKey = new Map<string, number>();
  let size = 0;
  let isDraining = false;

  function add(businessUnitId: string, keyId: string, wake: () => void): () => void {
    const waiters = byUnit.get(businessUnitId) ?? new Set();
    byUnit.set(businessUnitId, waiters.add(wake));
    byKey.set(keyId, (byKey.get(keyId) ?? 0) + 1);
    size += 1;
    return () => {
      waiters.delete(wake);
      if (waiters.size === 0 && byUnit.get(businessUnitId) === waiters)
        byUnit.delete(businessUnitId);
      const left = (byKey.get(keyId) ?? 1) - 1;
      if (left > 0) byKey.set(keyId, left);
      else byKey.delete(keyId);
      size -= 1;
    };
  }

  const wakeAll = (waiters: Iterable<() => void> = []) => {
    for (const wake of [...waiters]) wake();
  };

  return {
    async wait({ businessUnitId, keyId }, ms) {
      if (isDraining || size >= maxPerProcess) return false;
      if ((byKey.get(keyId) ?? 0) >= maxPerKey) throw tooManyWaiting();
      let remove = () => {};
      let timer: NodeJS.Timeout | undefined;
      const isWoken = await new Promise<boolean>((resolve) => {
        remove = add(businessUnitId, keyId, () => resolve(!isDraining));
        timer = setTimeout(resolve, ms, false);
      });
      clearTimeout(timer);
      remove();
      return isWoken;
    },
    wake: (businessUnitId) => wakeAll(byUnit.get(businessUnitId)),
    units: () => [...byUnit.keys()],
    size: () => size,
    drain() {
      isDraining = true;
      for (const waiters of byUnit.values()) wakeAll(waiters);
    },
  };
}
