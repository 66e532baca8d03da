import { safeMessageWithCauses } from '../core/error-reason.ts';
import type { Logger } from '../core/log.ts';
import { reportRepeated } from '../core/repeated-failures.ts';
import { httpTimeouts } from '../core/timeouts.ts';
import type { Metrics } from './metrics.ts';

/** A server that a process needs. */
export type DependencyName = 'postgres' | 'nats' | 'redis';

/** Receives the results of attempts to use a dependency, from the code that uses it. */
export interface DependencyStatus {
  up(): void;
  down(error: unknown): void;
}

/** `pending` until the first attempt has ended. */
export type DependencyState = 'up' | 'pending' | { reason: string };

/** The servers that a process needs. */
export interface Dependencies {
  /** Errors: the dependency is already observed. */
  observe(dependency: DependencyName): DependencyStatus;
  states(): Partial<Record<DependencyName, DependencyState>>;
}

/** For tools that report failures in another way. */
export const unobserved: DependencyStatus = { up() {}, down() {} };

/**
 * Exports `dependency.up`, 0 until the first success, and logs why a dependency is unavailable: the
 * first failure, then at a decreasing rate, and once when it is available again. One that has never
 * been available is an error once: nothing repairs a wrong address, a version that is too old or a
 * disk that is too small.
 */
export function createDependencies(options: {
  metrics: Metrics;
  log: Pick<Logger, 'error' | 'warn' | 'info'>;
  /** How long a dependency may be unavailable from the start, in milliseconds. */
  startMs?: number;
}): Dependencies {
  const { metrics, log, startMs = httpTimeouts.dependencyStartMs } = options;
  const startedAt = performance.now();
  const states = new Map<DependencyName, DependencyState>();
  metrics.observe('dependency.up', () =>
    [...states].map(([dependency, state]) => [state === 'up' ? 1 : 0, { dependency }] as const),
  );

  function observe(dependency: DependencyName): DependencyStatus {
    if (states.has(dependency)) throw new Error(`${dependency} is already observed`);
    states.set(dependency, 'pending');
    const createReport = () =>
      reportRepeated((error, suppressed) =>
        log.warn(
          { dependency, reason: safeMessageWithCauses(error), suppressed },
          'dependency unavailable',
        ),
      );
    let report: ReturnType<typeof createReport> | null = null;
    /** It has been available, or its absence since the start is reported. */
    let isSettled = false;

    const reportAbsence = (reason: string): void => {
      if (isSettled || performance.now() - startedAt < startMs) return;
      isSettled = true;
      log.error({ dependency, reason }, 'dependency never available since the start');
    };

    return {
      up() {
        if (report) log.info({ dependency }, 'dependency available again');
        report = null;
        isSettled = true;
        states.set(dependency, 'up');
      },
      down(error) {
        const reason = safeMessageWithCauses(error);
        states.set(dependency, { reason });
        report ??= createReport();
        report(error);
        reportAbsence(reason);
      },
    };
  }

  return { observe, states: () => Object.fromEntries(states) };
}
