import { join } from 'node:path';
import { createPrivateDirectory, writePrivateFile } from '@event-api/provisioning/secret-files';
import { loopback, type Place } from './place.ts';
import { respondsWith } from './probe.ts';
import type { NativePrograms } from './programs.ts';
import type { ChildSpec } from './supervise.ts';
import { killWithParent } from './tether.ts';

const USER = 'event_api';

/**
 * What all streams may reserve. By default it is a share of the free disk at each start, so that a
 * stream that was created earlier may be refused. Whoever creates a stream chooses its size.
 */
const MAX_STORE = '4GB';

/** A server of a NATS cluster. */
export interface ClusterMember {
  /** Its name among the servers. */
  name: string;
  /** The port on which each server listens for the others. */
  port: number;
  /** The addresses of all servers. */
  addresses: readonly string[];
}

/**
 * A private NATS server with JetStream, by default alone and on 127.0.0.1, with its streams in
 * `folder`/nats, and its address with user and password. The password is in a configuration file in
 * `folder`, because other users can read the command line. `authorization`, a block of a NATS
 * configuration, replaces this user; the address then has no login. As a `member` it is a part of a
 * cluster.
 */
export function natsServer(
  programs: NativePrograms,
  options: {
    folder: string;
    port: number;
    password: string;
    authorization?: string;
    place?: Place;
    member?: ClusterMember;
  },
): { url: string; spec: ChildSpec } {
  const { folder, port, password, authorization, place = loopback, member } = options;
  const store = join(folder, 'nats');
  createPrivateDirectory(store);
  const configFile = join(folder, 'nats.conf');
  writePrivateFile(
    configFile,
    [
      `listen: "${place.address}:${port}"`,
      authorization ?? `authorization { user: ${USER}, password: "${password}" }`,
      `jetstream { store_dir: ${JSON.stringify(store)}, max_file_store: ${MAX_STORE} }`,
      ...(member ? clusterLines(member, { address: place.address, password }) : []),
      '',
    ].join('\n'),
  );
  const login = JSON.stringify({ user: USER, pass: password, verbose: false, pedantic: false });
  return {
    url: `nats://${authorization ? '' : `${USER}:${password}@`}${place.address}:${port}`,
    spec: {
      name: member?.name ?? 'nats',
      command: [
        ...place.enter,
        ...killWithParent('SIGTERM'),
        programs.path['nats-server'],
        '-c',
        configFile,
      ],
      env: programs.env,
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 10_000,
      startTimeoutMs: 60_000,
      isReady: () =>
        authorization
          ? respondsWith(port, '', 'INFO', place.address)
          : respondsWith(port, `CONNECT ${login}\r\nPING\r\n`, 'PONG', place.address),
    },
  };
}

function clusterLines(
  { name, port, addresses }: ClusterMember,
  { address, password }: { address: string; password: string },
): string[] {
  const routes = addresses
    .filter((other) => other !== address)
    .map((other) => `"nats://${USER}:${password}@${other}:${port}"`);
  return [
    `server_name: "${name}"`,
    `cluster { name: event_api, listen: "${address}:${port}", routes: [${routes.join(', ')}], authorization { user: ${USER}, password: "${password}" } }`,
  ];
}
