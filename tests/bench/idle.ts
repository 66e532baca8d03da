import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { memoryTimeouts } from '@event-api/platform/core/timeouts';
import { readCpuSeconds } from './cpu-time.ts';
import type { BenchEnvironment } from './environment.ts';
import { median } from './statistics.ts';
import { describeVerdict, judge, type Verdict } from './verdicts.ts';

/** Until the processes have collected the garbage of their start, after at most two checks. */
const settleMs = 2 * memoryTimeouts.idleCheckIntervalMs + 20_000;
/**
 * The system counts CPU time in steps of 10 ms, which is more than an idle process takes in ten
 * seconds.
 */
const minRoundMs = 60_000;

/** Processes with a bound of their own. All other Node processes have one bound together. */
const addedLater = ['changes', 'console', 'identity-sandbox'];
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

/** What a platform costs that nobody uses. */
export interface IdleFigures {
  processes: IdleProcess[];
  verdicts: Verdict[];
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
  return { processes, verdicts: judgeAll(processes) };
}

/** The proportional set size of a process. See proc_pid_smaps(5). */
function readMegabytes(pid: number): number {
  const [, kibibytes] =
    /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}

function judgeAll(processes: readonly IdleProcess[]): Verdict[] {
  const isLater = ({ name }: IdleProcess) => addedLater.includes(name);
  const atMost = (name: string, bound: number, rounds: readonly number[]) =>
    judge({ name, atMost: bound }, { ratios: [...rounds], baseline: rounds.map(() => 1) });
  const sumOf = (key: 'milliCores' | 'megabytes', of: readonly IdleProcess[]): number[] =>
    (processes[0]?.milliCores ?? []).map((_, round) =>
      of.reduce((sum, each) => sum + (each[key]?.[round] ?? 0), 0),
    );
  const first = processes.filter((each) => !isLater(each));
  return [
    atMost('idle: thousandths of a core, everything', 10, sumOf('milliCores', processes)),
    atMost('idle: MB, Node processes', 600, sumOf('megabytes', first)),
    ...processes
      .filter(isLater)
      .flatMap(({ name, milliCores, megabytes }) => [
        atMost(`idle: thousandths of a core, ${name}`, 1, milliCores),
        atMost(`idle: MB, ${name}`, 80, megabytes ?? []),
      ]),
  ];
}

export const describeIdle = ({ processes, verdicts }: IdleFigures): string =>
  [
    'thousandths of a core and MB, medians',
    ...processes.map(
      ({ name, milliCores, megabytes }) =>
        `  ${name.padEnd(16)} ${median(milliCores).toFixed(2).padStart(6)} ${megabytes ? median(megabytes).toFixed(0).padStart(6) : ''}`,
    ),
    ...verdicts.map(describeVerdict),
  ].join('\n');
