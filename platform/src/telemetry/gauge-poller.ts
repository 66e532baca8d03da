import { createWaiter } from '../core/every.ts';

/** A sample that is refreshed at an interval. */
export interface GaugePoller<Sample> {
  /** Null before the first sample and after a failed poll: an old sample would hide a problem. */
  readonly latest: Sample | null;
  /** A metric without attributes that is read from the sample; no value while there is no sample. */
  gauge(pick: (sample: Sample) => number | null): () => (readonly [number, Record<never, never>])[];
  stop(): Promise<void>;
}

/**
 * Polls immediately and then every `intervalMs`, never concurrently. Metric scrapes read the last sample and
 * never wait for the database.
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
