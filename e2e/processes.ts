import { readdirSync, readFileSync } from 'node:fs';

/** A process as /proc shows it; `startTime` tells it from a later one with the same id. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  startTime: string;
  commandLine: string;
}

/** Every process of the machine. A zombie has ended and is left out. */
export function allProcesses(): ProcessEntry[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.flatMap((id) => readProcess(Number(id)) ?? []);
}

function readProcess(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command, in parentheses, may hold spaces and parentheses itself.
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, parent: Number(parent), startTime: rest[17] ?? '', commandLine };
  } catch {
    // It ended while we looked.
    return undefined;
  }
}

/** `pid` and everything that it started, directly or not. */
export function treeOf(pid: number): ProcessEntry[] {
  const all = allProcesses();
  const tree = all.filter((entry) => entry.pid === pid);
  // Grows while it is walked: the children of each entry are put at its end.
  for (const { pid: parent } of tree) tree.push(...all.filter((entry) => entry.parent === parent));
  return tree;
}

/** The processes that were given `DATA_DIR=dataDir`, whoever their parent is by now. */
export function processesOn(dataDir: string): ProcessEntry[] {
  return allProcesses().filter(({ pid }) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .includes(`DATA_DIR=${dataDir}`);
    } catch {
      return false;
    }
  });
}

/** Those of `entries` that still run. */
export function survivorsOf(entries: ProcessEntry[]): ProcessEntry[] {
  return entries.filter(({ pid, startTime }) => readProcess(pid)?.startTime === startTime);
}
