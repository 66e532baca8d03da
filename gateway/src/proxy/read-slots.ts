/** Limits the number of concurrent tasks. Further tasks wait in the order of their arrival. */
export interface Slots {
  /** Resolves with a function that frees the slot. */
  take(): Promise<() => void>;
  /** Returns the number of waiting tasks. */
  waiting(): number;
}

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  return {
    waiting: () => waiting.length,
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        release();
      };
    },
  };
}
