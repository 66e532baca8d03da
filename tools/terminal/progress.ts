const TICK_MS = 5000;

/** Shows progress and elapsed time at the terminal. */
export interface Progress {
  /** Writes one line with the elapsed time. */
  say(line: string): void;
  /**
   * Writes `title`, repeats it every five seconds while `work` runs, and returns the result of
   * `work`.
   */
  during<Result>(title: string, work: () => Promise<Result>): Promise<Result>;
}

/** Starts the clock. Lines are written with `write`. */
export function createProgress(write: (line: string) => void): Progress {
  const startedAt = performance.now();
  const say = (line: string) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    write(`[${seconds.padStart(5)} s] ${line}`);
  };
  return {
    say,
    async during(title, work) {
      say(title);
      const timer = setInterval(() => say(`${title} ...`), TICK_MS);
      try {
        return await work();
      } finally {
        clearInterval(timer);
      }
    },
  };
}
