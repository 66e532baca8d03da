import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Switches for tests: points at which a process dies or waits, and guards that can be turned off to
 * prove that a test notices. Inert unless `NODE_ENV=test`; a production process that is given any
 * refuses to start.
 */
export interface Faults {
  /** A named point in the code. A test can wait there, or have the process pause or be killed there. */
  hit(point: string): Promise<void> | void;
  /** True only where a test has turned this guard off. */
  isDisabled(guard: string): boolean;
}

const longestPauseMs = 150;

export const noFaults: Faults = { hit: () => {}, isDisabled: () => false };

/** Faults that a test steers from inside the same process. */
export interface TestFaults extends Faults {
  at(point: string, action: () => Promise<void> | void): void;
  disable(guard: string): void;
}

export function testFaults(): TestFaults {
  const actions = new Map<string, () => Promise<void> | void>();
  const disabled = new Set<string>();
  return {
    at: (point, action) => void actions.set(point, action),
    disable: (guard) => void disabled.add(guard),
    hit: (point) => actions.get(point)?.(),
    isDisabled: (guard) => disabled.has(guard),
  };
}

/**
 * Faults of a separate process: `FAULTS=kill:point,pause:point,off:guard`, or `file:path` with the same in a file. A pause
 * is short and each time another one, so that those who race come through in every order.
 * Errors: anything but `NODE_ENV=test` with `FAULTS` set; an entry that there is not.
 */
export function parseFaults(setting: string | undefined, nodeEnv: string): Faults {
  if (!setting) return noFaults;
  if (nodeEnv !== 'test') throw new Error('FAULTS may be set only with NODE_ENV=test');
  return setting.startsWith('file:') ? faultsOfFile(setting.slice(5)) : faultsOfList(setting);
}

/** Read anew at every point, so that a test has a process die without having to start it for that. */
function faultsOfFile(path: string): Faults {
  const now = () => {
    const list = readFileSync(path, 'utf8');
    return list ? faultsOfList(list) : noFaults;
  };
  now();
  return {
    hit: (point) => now().hit(point),
    isDisabled: (guard) => now().isDisabled(guard),
  };
}

function faultsOfList(list: string): Faults {
  const faults = testFaults();
  for (const entry of list.split(',')) {
    const [kind, name] = entry.split(':');
    if (kind === 'kill' && name) faults.at(name, () => void process.kill(process.pid, 'SIGKILL'));
    else if (kind === 'pause' && name) faults.at(name, () => delay(Math.random() * longestPauseMs));
    else if (kind === 'off' && name) faults.disable(name);
    else throw new Error(`FAULTS: unknown entry ${entry}`);
  }
  return faults;
}
