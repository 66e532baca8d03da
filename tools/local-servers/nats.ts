import { join } from 'node:path';
import { createPrivateDirectory, writePrivateFile } from '@event-api/provisioning/secret-files';
import { loopback, type Place } from './place.ts';
import { isHealthy, respondsWith } from './probe.ts';
import type { NativePrograms } from './programs.ts';
import type { ChildSpec } from './supervise.ts';
import { killWithParent } from './tether.ts';

const USER = 'event_api';

/**
 * What all streams may reserve. By default it is a share of the free disk at each start, so that a
 * stream that was created earlier may be refused. Whoever creates a stream chooses its size.
 */
const MAX_STORE = '4GB';

/** A server of a cluster. */
export interface NatsMember {
  name: string;
  /** Where it accepts the other servers, whose addresses are `routes`. */
  port: number;
  routes: readonly string[];
  /** The port on which it says whether it is healthy. */
  monitorPort: number;
}

/**
 * A private NATS server with JetStream, by default on 127.0.0.1, with its streams in
 * `folder`/nats, and its address with user and password. The password is in a configuration file in
 * `folder`, because other users can read the command line. `authorization`, a block of a NATS
 * configuration, replaces this user; the address then has no login.
 * With `member` it is a server of a cluster, and ready when all its streams are current.
 */
export function natsServer(
  programs: NativePrograms<'nats-server'>,
  options: {
    folder: string;
    port: number;
    password: string;
    authorization?: string;
    place?: Place;
    member?: NatsMember;
  },
): { url: string; spec: ChildSpec } {
  const { folder, port, password, authorization, place = loopback, member } = options;
  const { address } = place;
  const store = join(folder, 'nats');
  createPrivateDirectory(store);
  const configFile = join(folder, 'nats.conf');
  writePrivateFile(
    configFile,
    [
      `listen: "${address}:${port}"`,
      authorization ?? `authorization { user: ${USER}, password: "${password}" }`,
      `jetstream { store_dir: ${JSON.stringify(store)}, max_file_store: ${MAX_STORE} }`,
      ...(member ? clusterLines(member, address) : []),
      '',
    ].join('\n'),
  );
  const login = JSON.stringify({ user: USER, pass: password, verbose: false, pedantic: false });
  return {
    url: `nats://${authorization ? '' : `${USER}:${password}@`}${address}:${port}`,
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
      isReady: () => {
        if (member) return isHealthy(`http://${address}:${member.monitorPort}/healthz`);
        if (authorization) return respondsWith(port, '', 'INFO', address);
        return respondsWith(port, `CONNECT ${login}\r\nPING\r\n`, 'PONG', address);
      },
    },
  };
}

const clusterLines = (
  { name, port, routes, monitorPort }: NatsMember,
  address: string,
): string[] => [
  `server_name: ${JSON.stringify(name)}`,
  `http: "${address}:${monitorPort}"`,
  `cluster { name: event-api, listen: "${address}:${port}", routes: ${JSON.stringify(routes)} }`,
];
