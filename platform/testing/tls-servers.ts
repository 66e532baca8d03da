import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { natsServer } from '@event-api/local-servers/nats';
import { freePort } from '@event-api/local-servers/ports';
import { postgresServer } from '@event-api/local-servers/postgres';
import { chownTo, postgresUser } from '@event-api/local-servers/postgres-user';
import { findPrograms } from '@event-api/local-servers/programs';
import { redisServer } from '@event-api/local-servers/redis';
import type { ChildSpec } from '@event-api/local-servers/supervise';
import { randomPassword } from '@event-api/provisioning/secret-files';
import type { TestAuthority } from './certificates.ts';
import { createPrivateServer } from './private-server.ts';

/** The addresses of the servers, with `localhost` as their host and without TLS. */
export interface ServerAddresses {
  postgres: string;
  nats: string;
  redis: string;
}

/**
 * Starts PostgreSQL, NATS and Redis, which accept TLS with a certificate of `authority` for `host`;
 * NATS and Redis accept nothing else. `authorization` is the block of NATS's configuration with its
 * users; by default it has one.
 */
export async function startTlsServers(options: {
  folder: string;
  authority: TestAuthority;
  host: string;
  authorization?: string;
}): Promise<ServerAddresses & { close(): Promise<void> }> {
  const { folder, authority, host } = options;
  const own = mkdtempSync(join(folder, 'servers-'));
  const password = randomPassword();
  const { cert, key } = writeCertificate(folder, authority, host);
  const toolchain = join(import.meta.dirname, '../../.toolchain');
  const programs = await findPrograms(['nats-server', 'redis-server'], toolchain, () => {});
  const [natsPort, redisPort] = [await freePort(), await freePort()];
  const users = options.authorization ?? `authorization { user: test, password: "${password}" }`;
  const nats = natsServer(programs, {
    folder: own,
    port: natsPort,
    password,
    authorization: `${users}\ntls { cert_file: "${cert}", key_file: "${key}" }`,
  });
  const redis = redisServer(programs, { folder: own, port: redisPort, password });
  const redisTls = ['--port', '0', '--tls-port', String(redisPort), '--tls-auth-clients', 'no'];
  const redisFiles = ['--tls-cert-file', cert, '--tls-key-file', key];
  const postgres = postgresServer({ folder: own, port: await freePort(), forTests: true });
  const ssl = ['-c', 'ssl=on', '-c', `ssl_cert_file=${cert}`, '-c', `ssl_key_file=${key}`];
  const specs: ChildSpec[] = [
    nats.spec,
    {
      ...redis.spec,
      command: [...redis.spec.command, ...redisTls, ...redisFiles],
      isReady: () => acceptsConnections(redisPort),
    },
    { ...postgres.spec, command: [...postgres.spec.command, ...ssl] },
  ];
  const servers = specs.map(createPrivateServer);
  await Promise.all(servers.map((server) => server.start()));
  const atLocalhost = (url: string) => url.replace('127.0.0.1', 'localhost');
  const login = options.authorization ? '' : `test:${password}@`;
  return {
    postgres: atLocalhost(postgres.url),
    nats: `nats://${login}localhost:${natsPort}`,
    redis: atLocalhost(redis.url),
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

/**
 * Errors: the port rejects connections. A probe that listened on it could take it from the server
 * that starts.
 */
async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}

/** Files of a certificate for `host`, readable by PostgreSQL. */
function writeCertificate(
  folder: string,
  authority: TestAuthority,
  host: string,
): { cert: string; key: string } {
  const own = mkdtempSync(join(folder, 'certificate-'));
  const issued = authority.issue(host);
  const files = { cert: join(own, 'tls.crt'), key: join(own, 'tls.key') };
  writeFileSync(files.cert, issued.cert, { mode: 0o600 });
  writeFileSync(files.key, issued.key, { mode: 0o600 });
  const { owner } = postgresUser();
  chownTo(owner, own);
  return files;
}

/** The addresses with TLS, verified with the authority in a file. */
export const withTls: Record<
  keyof ServerAddresses,
  (address: string, authorityFile: string) => string
> = {
  postgres: (address, file) => `${address}?sslmode=verify-full&sslrootcert=${file}`,
  nats: (address, file) => `${address.replace('nats:', 'tls:')}?ca=${file}`,
  redis: (address, file) => `${address.replace('redis:', 'rediss:')}?ca=${file}`,
};
