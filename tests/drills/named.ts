import type { NatsServers } from './environment/upgradable-servers.ts';
import { clockFaults } from './faults/clocks.ts';
import type { Fault } from './faults/fault.ts';
import { keyFaults } from './faults/keys.ts';
import { partitionFaults } from './faults/partitions.ts';
import { longStalls } from './faults/processes.ts';
import { resyncAllProjections } from './faults/projections.ts';
import { regionFaults } from './faults/region.ts';
import { releaseFaults } from './faults/releases.ts';
import { restoredToEarlier, restoreFaults } from './faults/restore.ts';
import { allFaults } from './faults/schedule.ts';
import { upgradesInCluster, upgradesOfOne } from './faults/upgrades.ts';
import { wrongCommandFaults } from './faults/wrong-command.ts';

/** A drill of one kind of fault, which an operator can practise. */
interface NamedDrill {
  summary: string;
  faults: readonly Fault[];
  /** Starts with the previous release and two replicas of each process. */
  fromPreviousRelease?: true;
  /** Starts with the servers of an older release, as many of NATS. */
  olderNats?: NatsServers;
  /** Continues until this many requests have a definite response. */
  minRequests?: number;
  /** Starts with an archived log, from which backups are restored. */
  withBackups?: { intervalSeconds?: number };
  serverPerProcess?: boolean;
  /** Runs on hosts, for the given time, with faults in random order. */
  onHosts?: true;
}

const those = (pattern: RegExp) => allFaults.filter(({ name }) => pattern.test(name));

export const namedDrills: Record<string, NamedDrill> = {
  clocks: { summary: 'the clock of each process is shifted by four minutes', faults: clockFaults },
  keys: { summary: 'every key and secret is replaced', faults: keyFaults },
  nats: { summary: 'NATS stops, stalls and loses its volume', faults: those(/^nats/) },
  postgres: {
    summary: 'PostgreSQL restarts (fast, immediate) and its disk is full',
    faults: those(/postgres/),
  },
  redis: { summary: 'Redis stops and stalls', faults: those(/^redis/) },
  resync: { summary: 'every service resyncs its projections', faults: [resyncAllProjections] },
  restore: { summary: "every service's database is restored from a backup", faults: restoreFaults },
  stalls: { summary: 'every service stalls for longer than the gateway waits', faults: longStalls },
  drain: { summary: 'every process is drained and started again', faults: those(/ drained$/) },
  release: {
    summary: 'each process is released alone, from the previous release; no request may fail',
    faults: releaseFaults,
    fromPreviousRelease: true,
  },
  region: {
    summary:
      'everything is lost but the backups and the archived log, which are restored elsewhere',
    faults: regionFaults,
    withBackups: {},
    // Several servers are restored to several moments: a person decides some of what then differs.
    serverPerProcess: false,
  },
  'wrong-command': {
    summary: "a wrong command in registration's database is undone, with a server for each process",
    faults: wrongCommandFaults,
    withBackups: {},
    serverPerProcess: true,
  },
  upgrade: {
    summary: 'PostgreSQL (by a dump), NATS, Redis and Node are upgraded, as with Compose',
    faults: upgradesOfOne,
    olderNats: 1,
  },
  'upgrade-cluster': {
    summary:
      'PostgreSQL (in place), three servers of NATS, Redis and Node are upgraded, as in a cluster',
    faults: upgradesInCluster,
    olderNats: 3,
  },
  feed: {
    summary:
      'every process is killed, NATS loses its volume and a database goes back; 10,000 requests',
    faults: [...those(/ killed$|^nats wiped$/), restoredToEarlier],
    minRequests: 10_000,
  },
  partition: {
    summary:
      'zones and hosts are cut off from each other, and PostgreSQL is promoted; needs root, runs for --minutes',
    faults: partitionFaults,
    onHosts: true,
  },
  kill: { summary: 'every process is killed', faults: those(/ killed$/) },
};

/**
 * Returns the options of a named drill, or of the random drill if `name` is undefined. Errors:
 * unknown drill.
 */
export function namedDrill(name: string | undefined): {
  faults?: readonly Fault[];
  once?: boolean;
  fromPreviousRelease?: true;
  olderNats?: NatsServers;
  minRequests?: number;
  withBackups?: { intervalSeconds?: number };
  serverPerProcess?: boolean;
  onHosts?: true;
} {
  if (name === undefined) return {};
  const found = namedDrills[name];
  if (!found)
    throw new Error(`no drill ${name}; available: ${Object.keys(namedDrills).join(', ')}`);
  const { summary: _, ...options } = found;
  return options.onHosts ? options : { ...options, once: true };
}
