/** Limits how many tasks run at the same time. Others wait in the order of their arrival. */
export interface Slots {
  /** Resolves with the function that frees the slot again. */
  take(): Promise<() => void>;
  /** How many tasks wait for a slot. */
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
