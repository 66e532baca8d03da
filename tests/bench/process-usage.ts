import { readdirSync, readFileSync } from 'node:fs';

/** What a process and its children have used since they started. */
export interface ProcessUsage {
  cpuSeconds: number;
  /** Highest resident memory of the process itself, in MiB. */
  peakRssMib: number;
}

/** Ticks per second of the CPU times in /proc; Linux reports 100 on every architecture. */
const TICKS_PER_SECOND = 100;

/**
 * Reads the usage of each process, with that of its running and its ended children: PostgreSQL does its work in
 * children. Empty on systems without /proc.
 */
export function readUsage(pids: Record<string, number>): Record<string, ProcessUsage> {
  if (process.platform !== 'linux') return {};
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => statOf(Number(pid)) ?? []);
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const ticks = stats
        .filter((stat) => stat.pid === pid || stat.parent === pid)
        .reduce((sum, stat) => sum + stat.ticks + (stat.pid === pid ? stat.endedTicks : 0), 0);
      return [name, { cpuSeconds: ticks / TICKS_PER_SECOND, peakRssMib: peakRssOf(pid) }];
    }),
  );
}

/** See proc(5): the fields after the name, which is in parentheses and may contain spaces. */
function statOf(pid: number) {
  const text = readOrNull(`/proc/${pid}/stat`);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (field: number) => Number(fields[field - 3]);
  return { pid, parent: at(4), ticks: at(14) + at(15), endedTicks: at(16) + at(17) };
}

function peakRssOf(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readOrNull(`/proc/${pid}/status`) ?? '') ?? [];
  return Number(kib ?? 0) / 1024;
}

/** Null for a process that has ended meanwhile. */
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
