import { serviceNames } from '@event-api/contracts/topology';
import type { Owner } from '../history/responses.ts';
import { allServices, type Fault } from './fault.ts';

/** Owners whose requests depend on a process (docs/consistency.md). */
export const servedBy: Record<string, readonly Owner[]> = {
  gateway: allServices,
  ...Object.fromEntries(serviceNames.map((name) => [name, [name]])),
  // Registration and commerce fetch records from catalog before they reject a request, and placing
  // an order locks the currency there.
  catalog: ['catalog', 'registration', 'commerce'],
  registration: ['registration', 'commerce'],
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
  begin: async ({ environment }) => environment.processes.stall(name),
  end: async ({ environment }) => environment.processes.resume(name),
});

/** Drains the only replica: requests in progress are completed, new ones fail. */
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

/** Stalls longer than the gateway's timeout of eight seconds: the first requests get 504. */
export const longStalls: Fault[] = serviceNames.map((name) =>
  stall(name, servedBy[name] ?? [], 'stalled for long', 10_000),
);
