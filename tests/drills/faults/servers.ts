import { wipe } from '../environment/environment.ts';
import { allServices, type Fault, noServices } from './fault.ts';

const stopped = (
  name: 'postgres' | 'nats' | 'redis',
  how: string,
  signal: NodeJS.Signals,
): Omit<Fault, 'affects'> => ({
  name: `${name} ${how}`,
  target: name,
  lastsMs: name === 'postgres' ? 1000 : 3000,
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

export const serverFaults: Fault[] = [
  { ...stopped('postgres', 'restarted, fast', 'SIGINT'), affects: allServices },
  { ...stopped('postgres', 'restarted, immediate', 'SIGQUIT'), affects: allServices },
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
