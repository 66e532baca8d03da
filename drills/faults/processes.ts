import type { Owner } from '../answers.ts';
import { services } from '../surroundings.ts';
import { everybody, type Fault } from './fault.ts';

/** Whose requests a process serves or is asked for: docs/consistency.md, "What holds when something is away". */
export const servedBy: Record<string, readonly Owner[]> = {
  gateway: everybody,
  // A refusal that would rest on a copy asks catalog; placing locks the currency there.
  catalog: ['catalog', 'registration', 'commerce'],
  registration: ['registration', 'commerce'],
  commerce: ['commerce'],
  onsite: ['onsite'],
  'payment-sandbox': ['commerce', 'provider'],
};

const kill = (name: string, excuses: readonly Owner[]): Fault => ({
  name: `${name} killed`,
  target: name,
  excuses,
  lastsMs: 700,
  begin: ({ around }) => around.processes.stop(name, 'SIGKILL'),
  end: ({ around }) => around.processes.restart(name),
});

const stall = (
  name: string,
  excuses: readonly Owner[],
  how = 'stalled',
  lastsMs = 2500,
): Fault => ({
  name: `${name} ${how}`,
  target: name,
  excuses,
  lastsMs,
  begin: async ({ around }) => around.processes.signal(name, 'SIGSTOP'),
  end: async ({ around }) => around.processes.signal(name, 'SIGCONT'),
});

/** As a roll-out does it that has nobody to take over: what was begun is answered, what comes is not. */
const drain = (name: string, excuses: readonly Owner[]): Fault => ({
  name: `${name} drained`,
  target: name,
  excuses,
  isGentle: true,
  lastsMs: 300,
  begin: ({ around }) => around.processes.stop(name, 'SIGTERM'),
  end: ({ around }) => around.processes.restart(name),
});

export const processFaults: Fault[] = Object.entries(servedBy).flatMap(([name, excuses]) => [
  kill(name, excuses),
  stall(name, excuses),
  drain(name, excuses),
]);

/** Stalled for longer than a gateway waits, which is eight seconds: who asked first is told 504. */
export const longStalls: Fault[] = services.map((name) =>
  stall(name, servedBy[name] ?? [], 'stalled for long', 10_000),
);
