import { setTimeout as wait } from 'node:timers/promises';
import { statement } from '@event-api/platform/db/statement';
import { readCpuSeconds } from './cpu-time.ts';
import { openDatabases } from './database.ts';
import type { BenchEnvironment } from './environment.ts';
import { warmUpMs } from './rounds.ts';

/** What one unit of work costs the whole platform. */
export interface Costs {
  commits: number;
  /** Times that PostgreSQL waited until its log was on the disk. */
  walSyncs: number;
  walKib: number;
  /** CPU time in milliseconds, by process. Empty where the system does not report it. */
  cpuMs: Record<string, number>;
}

// A connection reports its counters when it has been idle for ten seconds.
const STATISTICS_DELAY_MS = 11_000;

type Counters = Omit<Costs, 'cpuMs'>;

const readCounters = statement<Counters>(
  'bench_counters',
  `select (select sum(xact_commit) from pg_stat_database)::float8 as commits,
    (select sum(fsyncs) from pg_stat_io where object = 'wal')::float8 as "walSyncs",
    (select wal_bytes from pg_stat_wal)::float8 / 1024 as "walKib"`,
);

/**
 * Runs `work` for a warm-up and for `durationMs`, and divides what all processes and the database
 * have used by the number of units that it returns. Waits before and after until the database has
 * published its counters, so nothing else may run. What the idle platform commits is measured
 * before and subtracted. The CPU times are those after the warm-up.
 */
export async function costsOf(
  { platform, pids }: Pick<BenchEnvironment, 'platform' | 'pids'>,
  work: (durationMs: number) => Promise<number>,
  durationMs: number,
): Promise<Costs> {
  const databases = await openDatabases(platform.databaseUrls);
  try {
    const read = async () => {
      const rows = await Promise.all(databases.map((each) => each.query(readCounters)));
      const sumOf = (counter: keyof Counters) =>
        rows.reduce((sum, [row]) => sum + (row?.[counter] ?? Number.NaN), 0);
      return {
        commits: sumOf('commits'),
        walSyncs: sumOf('walSyncs'),
        walKib: sumOf('walKib'),
        at: performance.now(),
      };
    };
    await wait(STATISTICS_DELAY_MS);
    const idle = await read();
    await wait(STATISTICS_DELAY_MS);
    const before = await read();
    const warmUpUnits = await work(warmUpMs);
    const usedBefore = readCpuSeconds(pids());
    const units = await work(durationMs);
    const used = readCpuSeconds(pids());
    await wait(STATISTICS_DELAY_MS);
    const after = await read();
    const cpuMs = Object.entries(used).map(([name, seconds]) => [
      name,
      ((seconds - (usedBefore[name] ?? 0)) * 1000) / units,
    ]);
    const idleShare = (after.at - before.at) / (before.at - idle.at);
    const perUnit = (counter: keyof Counters) =>
      (after[counter] - before[counter] - (before[counter] - idle[counter]) * idleShare) /
      (warmUpUnits + units);
    return {
      commits: perUnit('commits'),
      walSyncs: perUnit('walSyncs'),
      walKib: perUnit('walKib'),
      cpuMs: Object.fromEntries(cpuMs),
    };
  } finally {
    await Promise.all(databases.map((each) => each.close()));
  }
}

/** Formats the costs as one line. */
export function describeCosts({ commits, walSyncs, walKib, cpuMs }: Costs): string {
  const total = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
  const byProcess = Object.entries(cpuMs)
    .filter(([, ms]) => ms >= 0.01)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return [
    `${commits.toFixed(1)} commits, ${walSyncs.toFixed(1)} waits for the disk, ${walKib.toFixed(1)} KiB of log`,
    `${total.toFixed(2)} ms of CPU (${byProcess.join(', ')})`,
  ].join('; ');
}
