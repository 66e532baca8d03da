/** A wait that can be cut short. */
export interface Pause {
  lasting(ms: number): Promise<void>;
  /** Ends the wait that is under way; where there is none, the next one. */
  end(): void;
}

export function createPause(): Pause {
  let wake: (() => void) | null = null;
  let isEnded = false;
  return {
    async lasting(ms) {
      if (!isEnded) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = null;
      isEnded = false;
    },
    end() {
      if (wake) wake();
      else isEnded = true;
    },
  };
}
