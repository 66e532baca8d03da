import { apiProcessNames, type ProcessName } from '@event-api/contracts/topology';
import { releaseProgram } from '@event-api/local-servers/program-releases';
import type { DrillEnvironment } from '../environment/environment.ts';
import { natsNames, type UpgradableServers } from '../environment/upgradable-servers.ts';
import { allServices, type DrillContext, type Fault, noServices } from './fault.ts';
import { servedBy } from './processes.ts';

const done = async (): Promise<void> => {};

/** Errors: the drill was started with the newest servers. */
function serversOf({ environment }: DrillContext): UpgradableServers {
  if (!environment.older) throw new Error('the drill was not started with older servers');
  return environment.older;
}

async function startProcesses({ processes }: DrillEnvironment): Promise<void> {
  await Promise.all(apiProcessNames.map((name) => processes.restart(name)));
}

const postgres = (how: string): Omit<Fault, 'begin' | 'end'> => ({
  name: `postgres upgraded ${how}`,
  target: 'postgres',
  affects: allServices,
  lastsMs: 0,
});

/** As CloudNativePG does. The processes run, and find the server again by themselves. */
const postgresInPlace: Fault = {
  ...postgres('in place'),
  begin: (context) => serversOf(context).upgradePostgresInPlace(),
  end: (context) => serversOf(context).startPostgres(),
};

const postgresByDump: Fault = {
  ...postgres('by a dump'),
  isGraceful: true,
  async begin(context) {
    const { processes, databaseUrls } = context.environment;
    await Promise.all(apiProcessNames.map((name) => processes.stop(name)));
    await serversOf(context).upgradePostgresByDump(databaseUrls);
  },
  async end(context) {
    await serversOf(context).startPostgres();
    await startProcesses(context.environment);
  },
};

const natsUpgraded = (name: string): Fault => ({
  name: `${name} upgraded`,
  target: name,
  affects: noServices,
  lastsMs: 1000,
  begin: (context) => serversOf(context).upgradeNats(name),
  end: done,
});

const redisReplaced: Fault = {
  name: 'redis replaced',
  target: 'redis',
  affects: noServices,
  lastsMs: 1000,
  begin: (context) => serversOf(context).replaceRedis(),
  end: done,
};

/** The processes before it run on the newer Node, and those after it on the older one. */
const nodeUpgraded = (name: ProcessName, affects: Fault['affects']): Fault => ({
  name: `${name} on a newer Node`,
  target: name,
  affects,
  isGraceful: true,
  lastsMs: 1000,
  async begin({ environment }) {
    await environment.changeNode(name, await releaseProgram('node-26', () => {}));
  },
  end: done,
});

/** One server and one replica of each, as with Compose: a process that restarts is missing. */
export const upgradesOfOne: Fault[] = [
  redisReplaced,
  ...natsNames[1].map(natsUpgraded),
  postgresByDump,
  ...apiProcessNames.map((name) => nodeUpgraded(name, servedBy[name] ?? [])),
];

/** Three servers of NATS and two replicas of each process: only PostgreSQL interrupts clients. */
export const upgradesInCluster: Fault[] = [
  redisReplaced,
  ...natsNames[3].map(natsUpgraded),
  postgresInPlace,
  ...apiProcessNames.map((name) => nodeUpgraded(name, noServices)),
];
