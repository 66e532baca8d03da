import { readdirSync, readFileSync } from 'node:fs';

/** Ticks per second of the CPU times in /proc; Linux reports 100 on every architecture. */
const TICKS_PER_SECOND = 100;

/**
 * Reads the CPU time of each process in seconds, with that of its running and its ended children:
 * PostgreSQL does its work in children. Empty on systems without /proc.
 */
export function readCpuSeconds(pids: Record<string, number>): Record<string, number> {
  if (process.platform !== 'linux') return {};
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => statOf(Number(pid)) ?? []);
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const ticks = stats
        .filter((stat) => stat.pid === pid || stat.parent === pid)
        .reduce((sum, stat) => sum + stat.ticks + (stat.pid === pid ? stat.endedTicks : 0), 0);
      return [name, ticks / TICKS_PER_SECOND];
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

/** Null for a process that has ended meanwhile. */
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
