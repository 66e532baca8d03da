import { setTimeout as pass } from 'node:timers/promises';
import {
  apiUrlSetting,
  internalUrlSetting,
  type ProcessName,
  processNames,
  topology,
} from '@event-api/contracts/topology';
import type { ChildSpec } from '@event-api/local-servers/supervise';
import type { ControlledProcesses } from './process-control.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';

interface ReplicaUrls {
  apiUrl: string;
  internalUrl: string;
}

/**
 * One address per process and listener, as a Kubernetes Service. It distributes connections to
 * admitted replicas.
 */
export interface ServiceAddresses {
  urlOf(name: ProcessName, listener: 'api' | 'internal'): string;
  /** The settings of each process with the addresses of the others. */
  settings: Record<string, NodeJS.ProcessEnv>;
  admit(name: ProcessName, replica: ReplicaUrls): void;
  /** Stops new connections to a replica. Open ones remain. */
  withdraw(name: ProcessName, replica: ReplicaUrls): void;
  /** Stops new connections to a replica and closes open ones. */
  sever(name: ProcessName, replica: ReplicaUrls): void;
  close(): void;
}

/** Two replicas of a process behind its address. */
export interface Replicas {
  /**
   * Starts a second replica of a running process, with changed settings if `env` is given, and
   * admits both.
   */
  double(name: ProcessName, spec: ChildSpec, env?: NodeJS.ProcessEnv): Promise<void>;
  /**
   * Ends the replicas of a process one after the other. `start` starts each again; the next one
   * ends when it is ready.
   */
  roll(
    name: ProcessName,
    options: { pauseMs: number; start: (replica: string) => Promise<void> },
  ): Promise<void>;
  /** Ends a replica as a rollout does: no new connections, a pause, then the signal. */
  end(replica: string, pauseMs: number, signal: NodeJS.Signals): Promise<void>;
}

/** The replicas of a process: its first one has its name. */
export const replicasOf = (name: ProcessName): [string, string] => [name, `${name} 2`];

/** Starts the addresses of all processes, without replicas. */
export async function startServiceAddresses(): Promise<ServiceAddresses> {
  const api = await addressEach();
  const internal = await addressEach();
  return {
    urlOf: (name, listener) => (listener === 'api' ? api : internal)[name].url,
    settings: settingsWith(api, internal),
    admit(name, { apiUrl, internalUrl }) {
      api[name].add(apiUrl);
      internal[name].add(internalUrl);
    },
    withdraw(name, { apiUrl, internalUrl }) {
      api[name].withdraw(apiUrl);
      internal[name].withdraw(internalUrl);
    },
    sever(name, { apiUrl, internalUrl }) {
      api[name].sever(apiUrl);
      internal[name].sever(internalUrl);
    },
    close() {
      for (const each of [...Object.values(api), ...Object.values(internal)]) each.close();
    },
  };
}

export function createReplicas(
  processes: ControlledProcesses,
  addresses: ServiceAddresses,
): Replicas {
  const started = new Map<string, ReplicaUrls & { name: ProcessName }>();

  function urlsOf(replica: string) {
    const found = started.get(replica);
    if (!found) throw new Error(`unknown replica ${replica}`);
    return found;
  }

  async function end(replica: string, pauseMs: number, signal: NodeJS.Signals): Promise<void> {
    const { name, ...urls } = urlsOf(replica);
    // The removal of the endpoint also takes time to propagate.
    await pass(pauseMs / 2);
    addresses.withdraw(name, urls);
    await pass(pauseMs / 2);
    await processes.stop(replica, signal);
  }

  return {
    async double(name, spec, env) {
      const [first, second] = replicasOf(name);
      const local = (port: string | undefined) => `http://127.0.0.1:${port}`;
      const { PORT, INTERNAL_PORT } = spec.env;
      started.set(first, { name, apiUrl: local(PORT), internalUrl: local(INTERNAL_PORT) });
      started.set(second, { name, ...(await processes.startCopy(spec, second, env)) });
      for (const replica of [first, second]) addresses.admit(name, urlsOf(replica));
    },
    async roll(name, { pauseMs, start }) {
      for (const replica of replicasOf(name)) {
        await end(replica, pauseMs, 'SIGTERM');
        await start(replica);
        addresses.admit(name, urlsOf(replica));
      }
    },
    end,
  };
}

async function addressEach(): Promise<Record<ProcessName, RoundRobin>> {
  const entries = await Promise.all(
    processNames.map(async (name) => [name, await startRoundRobin()]),
  );
  return Object.fromEntries(entries);
}

function settingsWith(
  api: Record<ProcessName, RoundRobin>,
  internal: Record<ProcessName, RoundRobin>,
): Record<string, NodeJS.ProcessEnv> {
  const ofProcesses = topology.map(({ name, callsApi, callsInternal }) => [
    name,
    {
      DATABASE_POOL_MAX: '5',
      // The default: another replica serves meanwhile.
      DRAIN_IDLE_TIMEOUT_MS: '',
      ...Object.fromEntries(callsApi.map((peer) => [apiUrlSetting(peer), api[peer].url])),
      ...Object.fromEntries(
        callsInternal.map((peer) => [internalUrlSetting(peer), internal[peer].url]),
      ),
    },
  ]);
  const NOTIFICATION_URL = `${api.gateway.url}/payments/notifications/sandbox`;
  return { ...Object.fromEntries(ofProcesses), 'payment-sandbox': { NOTIFICATION_URL } };
}
