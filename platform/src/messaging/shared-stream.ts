import type { Logger } from '../core/log.ts';
import { reportRepeated } from '../core/repeated-failures.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/**
 * Reports that the stream has messages of another database than that of their service: counts the
 * metric `stream.shared` and logs the alarm `stream_shared` at a decreasing rate.
 */
export function reportSharedStream({
  metrics,
  log,
}: {
  metrics: Metrics;
  log: Pick<Logger, 'error'>;
}): (lineages: readonly string[]) => void {
  const count = metrics.counter('stream.shared');
  const report = reportRepeated((lineages, suppressed) =>
    log.error(
      { alarm: 'stream_shared', lineages, suppressed },
      'another database publishes to the stream, and its messages are ignored; probably two deployments use the same NATS, or processes of a service use different databases: give each deployment its own NATS, and all processes of a service the same database',
    ),
  );
  return (lineages) => {
    count();
    report(lineages);
  };
}
