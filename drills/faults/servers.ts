import { wipe } from '../surroundings.ts';
import { everybody, type Fault, nobody } from './fault.ts';

const stopped = (
  name: 'postgres' | 'nats' | 'redis',
  how: string,
  signal: NodeJS.Signals,
): Omit<Fault, 'excuses'> => ({
  name: `${name} ${how}`,
  target: name,
  lastsMs: name === 'postgres' ? 1000 : 3000,
  begin: ({ around }) => around.processes.stop(name, signal),
  end: ({ around }) => around.processes.restart(name),
});

const stalled = (name: 'nats' | 'redis', lastsMs: number): Fault => ({
  name: `${name} stalled`,
  target: name,
  // Neither is needed to answer anybody.
  excuses: nobody,
  lastsMs,
  begin: async ({ around }) => around.processes.signal(name, 'SIGSTOP'),
  end: async ({ around }) => around.processes.signal(name, 'SIGCONT'),
});

export const serverFaults: Fault[] = [
  { ...stopped('postgres', 'restarted, fast', 'SIGINT'), excuses: everybody },
  { ...stopped('postgres', 'restarted, immediate', 'SIGQUIT'), excuses: everybody },
  { ...stopped('nats', 'stopped', 'SIGKILL'), excuses: nobody },
  { ...stopped('redis', 'stopped', 'SIGKILL'), excuses: nobody },
  stalled('nats', 4000),
  stalled('redis', 2500),
  {
    name: 'nats wiped',
    target: 'nats',
    excuses: nobody,
    lastsMs: 500,
    async begin({ around }) {
      await around.processes.stop('nats', 'SIGKILL');
      wipe(around.natsStore);
    },
    end: ({ around }) => around.processes.restart('nats'),
  },
];
