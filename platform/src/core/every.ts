/** A wait that can be ended early. */
export interface Waiter {
  wait(ms: number): Promise<void>;
  /** Ends the current wait or, if there is none, the next one. */
  wake(): void;
}

export function createWaiter(): Waiter {
  let wake: (() => void) | null = null;
  let isEnded = false;
  return {
    async wait(ms) {
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
    wake() {
      if (wake) wake();
      else isEnded = true;
    },
  };
}
