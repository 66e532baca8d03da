import { createPause } from '../pause.ts';

/** What was seen last, looked for again and again. */
export interface Looking<Seen> {
  /** Null until somebody has looked, and when nobody could: old figures would say that all is well. */
  readonly seen: Seen | null;
  /** What of it is observed as a metric without attributes: nothing while nobody knows. */
  tell(pick: (seen: Seen) => number | null): () => (readonly [number, Record<never, never>])[];
  stop(): Promise<void>;
}

/**
 * Looks at once and then every `everyMs`, once at a time, so that nobody who collects metrics waits for a
 * database, or asks it more often.
 */
export function keepLooking<Seen>(look: () => Promise<Seen>, everyMs: number): Looking<Seen> {
  const pause = createPause();
  let seen: Seen | null = null;
  let stopped = false;

  async function run(): Promise<void> {
    while (!stopped) {
      seen = await look().catch(() => null);
      if (!stopped) await pause.lasting(everyMs);
    }
  }

  const running = run();
  return {
    get seen() {
      return seen;
    },
    tell: (pick) => () => {
      const value = seen && pick(seen);
      return value === null ? [] : [[value, {}]];
    },
    async stop() {
      stopped = true;
      pause.end();
      await running;
    },
  };
}
