import { join } from 'node:path';
import { streamName } from '@event-api/contracts/messages/snapshot';
import { natsServer } from '@event-api/local-servers/nats';
import { freePort } from '@event-api/local-servers/ports';
import { releaseProgram } from '@event-api/local-servers/program-releases';
import { provisionStream } from '@event-api/platform/messaging/bus/provision-stream';
import { eventually } from '@event-api/platform/testing/eventually';
import { createPrivateDirectory, readOrCreatePassword } from '@event-api/provisioning/secret-files';
import type { ControlledProcesses } from '@event-api/test-support/process-control';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { serverHost, zones } from './layout.ts';
import type { Network } from './network.ts';

const START_MS = 30_000;
const STREAM_BYTES = 2 ** 28;

/** Three servers with one stream, which is on all of them. */
export interface NatsCluster {
  /** The names of the servers among the processes. */
  programs: readonly string[];
  /** The addresses of all servers, with user and password. */
  urls: readonly string[];
  /** The server that leads the stream. Errors: none does within thirty seconds. */
  leader(): Promise<string>;
}

/** Starts the servers in `folder` and creates the stream. Errors: those of the servers. */
export async function startNatsCluster(options: {
  folder: string;
  network: Network;
  processes: ControlledProcesses;
  say: (line: string) => void;
}): Promise<NatsCluster> {
  const { folder, network, processes } = options;
  // After a partition the replicas of a stream of 2.9 differ: some lack acknowledged messages.
  const path = await releaseProgram('nats-2.15', options.say);
  const programs = { path: { 'nats-server': path }, env: process.env };
  const password = readOrCreatePassword(folder, 'nats.password');
  const [port, memberPort, monitorPort] = [await freePort(), await freePort(), await freePort()];
  const hosts = zones.map((zone) => network.hostNamed(serverHost(zone)));
  const routes = hosts.map(({ address }) => `nats://${address}:${memberPort}`);
  const servers = zones.map((zone, index) => {
    const name = `nats-${zone}`;
    const own = join(folder, name);
    createPrivateDirectory(own);
    const member = { name, port: memberPort, routes, monitorPort };
    return natsServer(programs, { folder: own, port, password, place: hosts[index], member });
  });
  await Promise.all(servers.map(({ spec }) => processes.start(spec)));
  const urls = servers.map(({ url }) => url);
  const [url = ''] = urls;
  // The servers elect a leader first.
  const create = () => provisionStream({ url, replicas: servers.length, maxBytes: STREAM_BYTES });
  await eventually(create, START_MS);
  return {
    programs: servers.map(({ spec }) => spec.name),
    urls,
    leader: () => eventually(() => leaderOf(urls), START_MS),
  };
}

async function leaderOf(urls: readonly string[]): Promise<string> {
  const { host, username, password: pass } = new URL(urls[0] as string);
  const nats = await connect({
    servers: [host, ...urls.slice(1).map((url) => new URL(url).host)],
    user: username,
    pass,
    timeout: 2000,
    reconnect: false,
  });
  try {
    const manager = await jetstreamManager(nats, { timeout: 2000 });
    const { cluster } = await manager.streams.info(streamName);
    if (!cluster?.leader) throw new Error('the stream has no leader');
    return cluster.leader;
  } finally {
    await nats.close();
  }
}
