import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { faultTimeouts } from './timeouts.ts';

/**
 * Test switches: points at which a process is killed or paused or an error is thrown, and guards
 * that can be disabled to prove that a test fails without them. Without `NODE_ENV=test` there are
 * none, and a process with `FAULTS` does not start.
 */
export interface Faults {
  /** A named point in the code at which a test can wait, pause the process or kill it. */
  hit(point: string): Promise<void> | void;
  /** True only if a test has disabled this guard. */
  isDisabled(guard: string): boolean;
}

export const noFaults: Faults = { hit: () => {}, isDisabled: () => false };

/** Faults that a test controls in its own process. */
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
 * The faults of a separate process: `FAULTS=kill:point,pause:point,fail:point,off:guard`, or
 * `file:path` of a file with the same content. A pause is short and random, so that concurrent
 * requests interleave in every order.
 * Errors: `FAULTS` without `NODE_ENV=test`; an unknown entry.
 */
export function parseFaults(setting: string | undefined, nodeEnv: string): Faults {
  if (!setting) return noFaults;
  if (nodeEnv !== 'test') throw new Error('FAULTS may be set only with NODE_ENV=test');
  return setting.startsWith('file:') ? faultsOfFile(setting.slice(5)) : faultsOfList(setting);
}

/**
 * Reads the file at every point, so that a test can kill a process without restarting it with other
 * settings.
 */
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
    else if (kind === 'pause' && name)
      faults.at(name, () => delay(Math.random() * faultTimeouts.maxPauseMs));
    else if (kind === 'fail' && name)
      faults.at(name, () => {
        throw new Error(`fault at ${name}`);
      });
    else if (kind === 'off' && name) faults.disable(name);
    else throw new Error(`FAULTS: unknown entry ${entry}`);
  }
  return faults;
}
