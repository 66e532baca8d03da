const TICK_MS = 5000;

/** Tells the person at the terminal what is going on and how long it has taken so far. */
export interface Progress {
  /** One line with the time since the beginning in front. */
  say(line: string): void;
  /** Says what begins, says every five seconds that it still goes on, and answers what `work` answers. */
  during<Result>(title: string, work: () => Promise<Result>): Promise<Result>;
}

/** Progress that begins now and writes lines through `write`. */
export function createProgress(write: (line: string) => void): Progress {
  const begun = performance.now();
  const say = (line: string) => {
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
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
