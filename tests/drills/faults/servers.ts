import { wipe } from '../environment/environment.ts';
import { hasServerPerProcess, ownServers } from '../environment/layout.ts';
import { allServices, type Fault, noServices } from './fault.ts';
import { servedBy } from './processes.ts';

const stopped = (name: string, how: string, signal: NodeJS.Signals): Omit<Fault, 'affects'> => ({
  name: `${name} ${how}`,
  target: name,
  lastsMs: name.startsWith('postgres') ? 1000 : 3000,
  begin: ({ environment }) => environment.processes.stop(name, signal),
  end: ({ environment }) => environment.processes.restart(name),
});

const stalled = (name: 'nats' | 'redis', lastsMs: number): Fault => ({
  name: `${name} stalled`,
  target: name,
  // No request depends on NATS or Redis.
  affects: noServices,
  lastsMs,
  begin: async ({ environment }) => environment.processes.stall(name),
  end: async ({ environment }) => environment.processes.resume(name),
});

/** The loss of the server of one process explains failures of that process alone. */
const postgresFaults: Fault[] = (
  hasServerPerProcess
    ? ownServers.map(({ name, program }) => ({ program, affects: servedBy[name] ?? [] }))
    : [{ program: 'postgres', affects: allServices }]
).flatMap(({ program, affects }) => [
  { ...stopped(program, 'restarted, fast', 'SIGINT'), affects },
  { ...stopped(program, 'restarted, immediate', 'SIGQUIT'), affects },
]);

export const serverFaults: Fault[] = [
  ...postgresFaults,
  { ...stopped('nats', 'stopped', 'SIGKILL'), affects: noServices },
  { ...stopped('redis', 'stopped', 'SIGKILL'), affects: noServices },
  stalled('nats', 4000),
  stalled('redis', 2500),
  {
    name: 'nats wiped',
    target: 'nats',
    affects: noServices,
    lastsMs: 500,
    async begin({ environment }) {
      await environment.processes.stop('nats', 'SIGKILL');
      wipe(environment.natsStore);
    },
    end: ({ environment }) => environment.processes.restart('nats'),
  },
];
