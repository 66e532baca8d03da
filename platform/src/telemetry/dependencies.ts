import { safeMessageWithCauses } from '../core/error-reason.ts';
import type { Logger } from '../core/log.ts';
import { reportRepeated } from '../core/repeated-failures.ts';
import type { Metrics } from './metrics.ts';

/** A server that a process needs. */
export type DependencyName = 'postgres' | 'nats' | 'redis';

/** Receives the results of attempts to use a dependency, from the code that uses it. */
export interface DependencyStatus {
  up(): void;
  down(error: unknown): void;
}

/** For tools that report failures in another way. */
export const unobserved: DependencyStatus = { up() {}, down() {} };

/**
 * Exports `dependency.up`, 0 until the first success, and logs why a dependency is unavailable: the
 * first failure, then at a decreasing rate, and once when it is available again. Each dependency is
 * observed once.
 */
export function createDependencies(options: {
  metrics: Metrics;
  log: Pick<Logger, 'warn' | 'info'>;
}): (dependency: DependencyName) => DependencyStatus {
  const { metrics, log } = options;
  const states = new Map<DependencyName, boolean>();
  metrics.observe('dependency.up', () =>
    [...states].map(([dependency, isUp]) => [isUp ? 1 : 0, { dependency }] as const),
  );
  return (dependency) => {
    if (states.has(dependency)) throw new Error(`${dependency} is already observed`);
    states.set(dependency, false);
    const createReport = () =>
      reportRepeated((error, suppressed) =>
        log.warn(
          { dependency, reason: safeMessageWithCauses(error), suppressed },
          'dependency unavailable',
        ),
      );
    let report: ReturnType<typeof createReport> | null = null;
    return {
      up() {
        if (report) log.info({ dependency }, 'dependency available again');
        report = null;
        states.set(dependency, true);
      },
      down(error) {
        states.set(dependency, false);
        report ??= createReport();
        report(error);
      },
    };
  };
}
