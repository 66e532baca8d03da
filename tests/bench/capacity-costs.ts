import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { Operation } from './capacity-operations.ts';
import { readCpuSeconds } from './cpu-time.ts';
import { warmUpMs } from './rounds.ts';
import { median } from './statistics.ts';

/** What one operation costs the whole platform, also what it causes after its response. */
export interface OperationCosts {
  /** CPU time in microseconds by process and server: user and system time of all threads. */
  cpuMicros: Record<string, number>;
  /** By how much the log of PostgreSQL and its database grow. */
  walBytes: number;
  diskBytes: number;
  /** At this rate. The machine limits it. */
  perSecond: number;
}

/** Messages reach the projections and the feed after the response. */
const settleMs = 3000;
const idleMs = 20_000;

const readSizes = statement<{ wal: number; disk: number }>(
  'bench_capacity_sizes',
  `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
     pg_database_size(current_database())::float8 as disk`,
);

/** CPU time per time by process and server, while no request arrives. */
export type IdleCores = Record<string, number>;

export async function measureIdle(pids: () => Record<string, number>): Promise<IdleCores> {
  const before = readCpuSeconds(pids());
  await wait(idleMs);
  const after = Object.entries(readCpuSeconds(pids()));
  return Object.fromEntries(
    after.map(([name, cpu]) => [name, (cpu - (before[name] ?? 0)) / (idleMs / 1000)]),
  );
}

/**
 * Repeats the operation for this time, after a warm-up that is not counted. What the platform uses
 * anyway is subtracted.
 */
export async function measureOperation(
  { db, pids, idle }: { db: Database; pids: () => Record<string, number>; idle: IdleCores },
  operation: Operation,
  durationMs: number,
): Promise<OperationCosts> {
  const read = async () => ({
    at: performance.now() / 1000,
    cpu: readCpuSeconds(pids()),
    ...((await db.query(readSizes))[0] as { wal: number; disk: number }),
  });
  await repeat(operation, Math.min(warmUpMs, durationMs));
  await wait(settleMs);
  const before = await read();
  const startedAt = performance.now();
  const units = await repeat(operation, durationMs);
  const seconds = (performance.now() - startedAt) / 1000;
  await wait(settleMs);
  const after = await read();
  const used = Object.entries(after.cpu).map(([name, cpu]) => {
    const anyway = (idle[name] ?? 0) * (after.at - before.at);
    return [name, (Math.max(0, cpu - (before.cpu[name] ?? 0) - anyway) * 1e6) / units];
  });
  return {
    cpuMicros: Object.fromEntries(used),
    walBytes: (after.wal - before.wal) / units,
    diskBytes: (after.disk - before.disk) / units,
    perSecond: units / seconds,
  };
}

/** Returns the number of units that the clients have done. */
async function repeat({ clients, run }: Operation, durationMs: number): Promise<number> {
  const endAt = performance.now() + durationMs;
  let units = 0;
  const client = async () => {
    while (performance.now() < endAt) {
      const done = await run();
      units += done;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return units;
}

/** The median of each figure over the rounds. */
export function mediansOf(rounds: readonly OperationCosts[]): OperationCosts {
  const of = (figure: (round: OperationCosts) => number) => median(rounds.map(figure));
  const names = Object.keys(rounds[0]?.cpuMicros ?? {});
  return {
    cpuMicros: Object.fromEntries(
      names.map((name) => [name, of(({ cpuMicros }) => cpuMicros[name] ?? 0)]),
    ),
    walBytes: of(({ walBytes }) => walBytes),
    diskBytes: of(({ diskBytes }) => diskBytes),
    perSecond: of(({ perSecond }) => perSecond),
  };
}
