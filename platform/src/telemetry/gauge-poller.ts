import { createWaiter } from '../core/every.ts';

/** What was seen last, looked for again and again. */
export interface GaugePoller<Sample> {
  /** Null until somebody has looked, and when nobody could: old figures would say that all is well. */
  readonly latest: Sample | null;
  /** What of it is observed as a metric without attributes: nothing while nobody knows. */
  gauge(pick: (sample: Sample) => number | null): () => (readonly [number, Record<never, never>])[];
  stop(): Promise<void>;
}

/**
 * Looks at once and then every `everyMs`, once at a time, so that nobody who collects metrics waits for a
 * database, or asks it more often.
 */
export function pollGauges<Sample>(
  sample: () => Promise<Sample>,
  intervalMs: number,
): GaugePoller<Sample> {
  const waiter = createWaiter();
  let latest: Sample | null = null;
  let stopped = false;

  async function run(): Promise<void> {
    while (!stopped) {
      latest = await sample().catch(() => null);
      if (!stopped) await waiter.wait(intervalMs);
    }
  }

  const running = run();
  return {
    get latest() {
      return latest;
    },
    gauge: (pick) => () => {
      const value = latest && pick(latest);
      return value === null ? [] : [[value, {}]];
    },
    async stop() {
      stopped = true;
      waiter.wake();
      await running;
    },
  };
}
