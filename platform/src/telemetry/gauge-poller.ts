import { every } from '../core/every.ts';
import type { Logger } from '../core/log.ts';
import { reportRepeated } from '../core/repeated-failures.ts';

/** A sample that is refreshed at an interval. */
export interface GaugePoller<Sample> {
  /** Null before the first sample and after a failed poll: an old sample would hide a problem. */
  readonly latest: Sample | null;
  /**
   * A metric without attributes that is read from the sample; no value while there is no sample.
   */
  gauge(pick: (sample: Sample) => number | null): () => (readonly [number, Record<never, never>])[];
  stop(): Promise<void>;
}

/**
 * Polls immediately and then every `intervalMs`, never concurrently. Metric scrapes read the last
 * sample and never wait for the database.
 */
export function pollGauges<Sample>(
  sample: () => Promise<Sample>,
  { intervalMs, log }: { intervalMs: number; log: Pick<Logger, 'warn'> },
): GaugePoller<Sample> {
  let latest: Sample | null = null;
  const report = reportRepeated((error, suppressed) =>
    log.warn({ err: error, suppressed }, 'failed to read gauges, will retry'),
  );
  const polling = every(
    async () => {
      latest = await sample();
    },
    {
      intervalMs,
      immediately: true,
      onError(error) {
        latest = null;
        report(error);
      },
    },
  );
  return {
    get latest() {
      return latest;
    },
    gauge: (pick) => () => {
      const value = latest && pick(latest);
      return value === null ? [] : [[value, {}]];
    },
    stop: polling.stop,
  };
}
