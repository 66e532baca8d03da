import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { readCpuSeconds } from './cpu-time.ts';
import type { BenchEnvironment } from './environment.ts';
import { median } from './statistics.ts';

/** Until the processes have finished their start. */
const settleMs = 20_000;
/**
 * The system counts CPU time in steps of 10 ms, which is more than an idle process takes in ten
 * seconds.
 */
const minRoundMs = 60_000;

const servers = ['postgres', 'nats', 'redis'];

interface IdleProcess {
  name: string;
  /** CPU time per time: 1 is a thousandth of a core. */
  milliCores: number[];
  /**
   * Memory in MB, where pages that processes share count in parts. Null for servers, which start
   * processes of their own.
   */
  megabytes: number[] | null;
}

/** What a platform costs that nobody uses. It has no aim: idle costs decide nothing. */
export interface IdleFigures {
  processes: IdleProcess[];
}

/** Measures the CPU time and the memory of all processes and servers while no request arrives. */
export async function benchIdle(
  { pids, progress }: BenchEnvironment,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<IdleFigures> {
  const measured = pids();
  const processes: IdleProcess[] = Object.keys(measured).map((name) => ({
    ...{ name, milliCores: [] },
    megabytes: servers.includes(name) ? null : [],
  }));
  await wait(settleMs);
  for (let round = 1; round <= rounds; round++) {
    const before = readCpuSeconds(measured);
    const startedAt = performance.now();
    await wait(Math.max(roundMs, minRoundMs));
    const after = readCpuSeconds(measured);
    const seconds = (performance.now() - startedAt) / 1000;
    for (const { name, milliCores, megabytes } of processes) {
      milliCores.push(((after[name] ?? 0) - (before[name] ?? 0)) * (1000 / seconds));
      megabytes?.push(readMegabytes(measured[name] ?? 0));
    }
    progress.say(`round ${round} of ${rounds}`);
  }
  return { processes };
}

/** The proportional set size of a process. See proc_pid_smaps(5). */
function readMegabytes(pid: number): number {
  const [, kibibytes] =
    /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}

export const describeIdle = ({ processes }: IdleFigures): string =>
  [
    'thousandths of a core and MB, medians',
    ...processes.map(
      ({ name, milliCores, megabytes }) =>
        `  ${name.padEnd(16)} ${median(milliCores).toFixed(2).padStart(6)} ${megabytes ? median(megabytes).toFixed(0).padStart(6) : ''}`,
    ),
  ].join('\n');
