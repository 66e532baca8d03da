import { join } from 'node:path';
import {
  apiProcessNames,
  apiUrlSetting,
  internalUrlSetting,
  type ProcessName,
  topology,
} from '@event-api/contracts/topology';
import type { Place } from '@event-api/local-servers/place';
import { freePort } from '@event-api/local-servers/ports';
import { isHealthy } from '@event-api/local-servers/probe';
import { findPrograms } from '@event-api/local-servers/programs';
import { redisServer } from '@event-api/local-servers/redis';
import type { ChildSpec } from '@event-api/local-servers/supervise';
import { createPrivateDirectory, readOrCreatePassword } from '@event-api/provisioning/secret-files';
import type { ControlledProcesses } from '@event-api/test-support/process-control';
import { replicasOf, type ServiceAddresses } from '@event-api/test-support/replicas';
import { root } from '@event-api/tools/settings/settings';
import { type Forwarder, startForwarder } from './forwarder.ts';
import { hostNames, hostOfReplica, redisZone, serverHost, type Zone, zoneOf } from './layout.ts';
import { type NatsCluster, startNatsCluster } from './nats-cluster.ts';
import { createNetwork, type Host, type Network, type ServiceRoute } from './network.ts';
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts';
import { admitReachable } from './reachable.ts';

/** The hosts of a drill, with servers in three zones, and two replicas of each process there. */
export interface Hosts {
  network: Network;
  postgres: PostgresCluster;
  nats: NatsCluster;
  /** The names of the servers among the processes. */
  programs: readonly string[];
  /** The addresses of the servers for this machine. That of PostgreSQL follows the primary. */
  settings: { DATABASE_URL: string; NATS_URL: string; REDIS_URL: string };
  placeOf(process: string): Place;
  /** The settings with which a process finds the others: addresses that hosts resolve by themselves. */
  settingsOf(spec: ChildSpec): NodeJS.ProcessEnv;
  /** Starts the second replica of a running process on its host, and routes requests to both. */
  double(name: ProcessName, spec: ChildSpec): Promise<void>;
  /**
   * Publishes where the primary and the replicas are to these hosts, by default all. Requests are
   * not routed to replicas in `without`. As in Kubernetes, a host that is cut off learns nothing.
   */
  publish(to?: readonly Host[], without?: Zone): Promise<void>;
  close(): void;
}

/** The numbers of the addresses of services. */
const POSTGRES = 0;
const NATS = 1;
const FIRST_PROCESS = 10;

/**
 * Creates the hosts and starts the servers there, with their data in `folder`. Without
 * `isSynchronous` PostgreSQL acknowledges commits that no standby has. `addresses` are those of the
 * processes for this machine. Errors: HostsUnavailableError; those of the servers.
 */
export async function startHosts(options: {
  folder: string;
  processes: ControlledProcesses;
  addresses: ServiceAddresses;
  isSynchronous: boolean;
  say: (line: string) => void;
}): Promise<Hosts> {
  const { folder, processes, addresses } = options;
  createPrivateDirectory(folder);
  const network = await createNetwork(hostNames);
  const stopping = new AbortController();
  let forwarder: Forwarder | undefined;
  const close = () => {
    stopping.abort();
    forwarder?.close();
    network.close();
  };
  try {
    const redisHost = network.hostNamed(serverHost(redisZone));
    const programs = await findPrograms(['redis-server'], join(root, '.toolchain'), () => {});
    const redis = redisServer(programs, {
      folder,
      port: await freePort(),
      password: readOrCreatePassword(folder, 'redis.password'),
      place: redisHost,
    });
    const [postgres, nats] = await Promise.all([
      startPostgresCluster({ ...options, network }),
      startNatsCluster({ ...options, network }),
      processes.start(redis.spec),
    ]);
    forwarder = await startForwarder(() => new URL(postgres.primaryUrl()));
    const near = forwarder;
    const placeOf = (process: string): Host => {
      const host = hostOfReplica[process];
      if (host === undefined) throw new Error(`${process} has no host`);
      return network.hostNamed(host);
    };

    const addressOf = (name: ProcessName) =>
      network.serviceAddress(FIRST_PROCESS + apiProcessNames.indexOf(name));
    const routes = (without: Zone | undefined): ServiceRoute[] => [
      { address: network.serviceAddress(POSTGRES), targets: [postgres.primary()] },
      {
        address: network.serviceAddress(NATS),
        targets: network.hosts.filter(({ name }) => {
          const zone = zoneOf(name);
          return zone !== undefined && zone !== without && name === serverHost(zone);
        }),
      },
      ...apiProcessNames.map((name) => ({
        address: addressOf(name),
        targets: replicasOf(name)
          .map(placeOf)
          .filter((host) => without === undefined || zoneOf(host.name) !== without),
      })),
    ];
    const publish: Hosts['publish'] = async (to = network.hosts, without) => {
      await Promise.all(to.map((host) => network.route(host, routes(without))));
      near.follow();
    };
    await publish();

    const urlOfReplica = (replica: string, port: string | undefined) =>
      `http://${placeOf(replica).address}:${port}`;
    const portOf = (peer: ProcessName, kind: 'PORT' | 'INTERNAL_PORT', env: NodeJS.ProcessEnv) => {
      const setting = kind === 'PORT' ? apiUrlSetting(peer) : internalUrlSetting(peer);
      return new URL(env[setting] as string).port;
    };

    return {
      network,
      postgres,
      nats,
      programs: [...postgres.programs, ...nats.programs, 'redis'],
      settings: {
        DATABASE_URL: at(postgres.primaryUrl(), '127.0.0.1', near.port),
        NATS_URL: nats.urls[0] as string,
        REDIS_URL: redis.url,
      },
      placeOf,
      settingsOf({ name, env }) {
        if (name === 'payment-sandbox') {
          const { port } = new URL(env.NOTIFICATION_URL as string);
          const gateway = `http://${addressOf('gateway')}:${port}`;
          return { NOTIFICATION_URL: `${gateway}/payments/notifications/sandbox` };
        }
        const declared = topology.find((each) => each.name === name);
        if (!declared) throw new Error(`there is no process ${name}`);
        const { callsApi, callsInternal } = declared;
        const peerUrl = (peer: ProcessName, kind: 'PORT' | 'INTERNAL_PORT') =>
          `http://${addressOf(peer)}:${portOf(peer, kind, env)}`;
        return {
          DATABASE_POOL_MAX: '5',
          DRAIN_IDLE_TIMEOUT_MS: '',
          DATABASE_URL: at(
            env.DATABASE_URL as string,
            network.serviceAddress(POSTGRES),
            postgres.port,
          ),
          ...(env.NATS_URL && { NATS_URL: at(env.NATS_URL, network.serviceAddress(NATS)) }),
          ...Object.fromEntries(
            callsApi.map((peer) => [apiUrlSetting(peer), peerUrl(peer, 'PORT')]),
          ),
          ...Object.fromEntries(
            callsInternal.map((peer) => [internalUrlSetting(peer), peerUrl(peer, 'INTERNAL_PORT')]),
          ),
        };
      },
      async double(name, spec) {
        const [first, second] = replicasOf(name);
        const { PORT, INTERNAL_PORT } = spec.env;
        const place = placeOf(second);
        const internalUrl = urlOfReplica(second, INTERNAL_PORT);
        await processes.start({
          ...spec,
          name: second,
          command: [...place.enter, ...spec.command.slice(placeOf(first).enter.length)],
          env: { ...spec.env, HOST: place.address },
          isReady: () => isHealthy(`${internalUrl}/readyz`),
        });
        for (const replica of [first, second]) {
          admitReachable({
            addresses,
            name,
            replica: {
              apiUrl: urlOfReplica(replica, PORT),
              internalUrl: urlOfReplica(replica, INTERNAL_PORT),
            },
            signal: stopping.signal,
          });
        }
      },
      publish,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** The address with another host, and another port if given. */
function at(address: string, host: string, port?: number): string {
  const changed = new URL(address);
  changed.hostname = host;
  if (port !== undefined) changed.port = String(port);
  return changed.href;
}
