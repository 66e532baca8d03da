import { join } from 'node:path';
import { createPrivateDirectory, writePrivateFile } from '@event-api/provisioning/secret-files';
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

/** A server of a cluster on this machine. */
export interface NatsMember {
  name: string;
  /** Where it accepts the other servers, whose addresses are `routes`. */
  port: number;
  routes: readonly string[];
  /** The port on which it says whether it is healthy. */
  monitorPort: number;
}

/**
 * A private NATS server with JetStream on 127.0.0.1, with its streams in `folder`/nats, and its
 * address with user and password. The password is in a configuration file in `folder`, because
 * other users can read the command line. `authorization`, a block of a NATS configuration, replaces
 * this user; the address then has no login.
 * With `member` it is a server of a cluster, and ready when all its streams are current.
 */
export function natsServer(
  programs: NativePrograms,
  options: {
    folder: string;
    port: number;
    password: string;
    authorization?: string;
    member?: NatsMember;
  },
): { url: string; spec: ChildSpec } {
  const { folder, port, password, authorization, member } = options;
  const store = join(folder, 'nats');
  createPrivateDirectory(store);
  const configFile = join(folder, 'nats.conf');
  writePrivateFile(
    configFile,
    [
      `listen: "127.0.0.1:${port}"`,
      authorization ?? `authorization { user: ${USER}, password: "${password}" }`,
      `jetstream { store_dir: ${JSON.stringify(store)}, max_file_store: ${MAX_STORE} }`,
      ...(member ? clusterLines(member) : []),
      '',
    ].join('\n'),
  );
  const login = JSON.stringify({ user: USER, pass: password, verbose: false, pedantic: false });
  return {
    url: `nats://${authorization ? '' : `${USER}:${password}@`}127.0.0.1:${port}`,
    spec: {
      name: member?.name ?? 'nats',
      command: [...killWithParent('SIGTERM'), programs.path['nats-server'], '-c', configFile],
      env: programs.env,
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 10_000,
      startTimeoutMs: 60_000,
      isReady: () => {
        if (member) return isHealthy(`http://127.0.0.1:${member.monitorPort}/healthz`);
        if (authorization) return respondsWith(port, '', 'INFO');
        return respondsWith(port, `CONNECT ${login}\r\nPING\r\n`, 'PONG');
      },
    },
  };
}

const clusterLines = ({ name, port, routes, monitorPort }: NatsMember): string[] => [
  `server_name: ${JSON.stringify(name)}`,
  `http: "127.0.0.1:${monitorPort}"`,
  `cluster { name: event-api, listen: "127.0.0.1:${port}", routes: ${JSON.stringify(routes)} }`,
];
