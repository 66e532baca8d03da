import { services } from '../environment/environment.ts';
import type { Owner } from '../history/responses.ts';
import { allServices, type Fault } from './fault.ts';

/** Whose requests a process serves or is asked for: docs/consistency.md, "What holds when something is away". */
export const servedBy: Record<string, readonly Owner[]> = {
  gateway: allServices,
  // A refusal that would rest on a copy asks catalog; placing locks the currency there.
  catalog: ['catalog', 'registration', 'commerce'],
  registration: ['registration', 'commerce'],
  commerce: ['commerce'],
  onsite: ['onsite'],
  'payment-sandbox': ['commerce', 'provider'],
};

const kill = (name: string, affects: readonly Owner[]): Fault => ({
  name: `${name} killed`,
  target: name,
  affects,
  lastsMs: 700,
  begin: ({ environment }) => environment.processes.stop(name, 'SIGKILL'),
  end: ({ environment }) => environment.processes.restart(name),
});

const stall = (
  name: string,
  affects: readonly Owner[],
  how = 'stalled',
  lastsMs = 2500,
): Fault => ({
  name: `${name} ${how}`,
  target: name,
  affects,
  lastsMs,
  begin: async ({ environment }) => environment.processes.signal(name, 'SIGSTOP'),
  end: async ({ environment }) => environment.processes.signal(name, 'SIGCONT'),
});

/** As a roll-out does it that has nobody to take over: what was begun is answered, what comes is not. */
const drain = (name: string, affects: readonly Owner[]): Fault => ({
  name: `${name} drained`,
  target: name,
  affects,
  isGraceful: true,
  lastsMs: 300,
  begin: ({ environment }) => environment.processes.stop(name, 'SIGTERM'),
  end: ({ environment }) => environment.processes.restart(name),
});

export const processFaults: Fault[] = Object.entries(servedBy).flatMap(([name, affects]) => [
  kill(name, affects),
  stall(name, affects),
  drain(name, affects),
]);

/** Stalled for longer than a gateway waits, which is eight seconds: who asked first is told 504. */
export const longStalls: Fault[] = services.map((name) =>
  stall(name, servedBy[name] ?? [], 'stalled for long', 10_000),
);
