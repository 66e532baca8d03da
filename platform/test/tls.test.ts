import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { natsServer } from '@event-api/local-servers/nats';
import { freePort, portError } from '@event-api/local-servers/ports';
import { postgresServer } from '@event-api/local-servers/postgres';
import { chownTo, postgresUser } from '@event-api/local-servers/postgres-user';
import { findPrograms } from '@event-api/local-servers/programs';
import { redisServer } from '@event-api/local-servers/redis';
import type { ChildSpec } from '@event-api/local-servers/supervise';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openDatabase } from '../src/db/database.ts';
import { ormOptions } from '../src/db/migrations.ts';
import { statement } from '../src/db/statement.ts';
import { connectionOptions } from '../src/messaging/bus/connect.ts';
import { createLeaderLock } from '../src/messaging/projections/leader.ts';
import { connectRedis } from '../src/redis/connect.ts';
import { unobserved } from '../src/telemetry/dependencies.ts';
import { createTestAuthority } from '../testing/certificates.ts';
import { eventually } from '../testing/eventually.ts';
import { createPrivateServer } from '../testing/private-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-tls-'));
const authority = createTestAuthority();
const password = 'password-of-this-test';
const stops: (() => Promise<void>)[] = [];

const fileWith = (name: string, content: string): string => {
  const file = join(folder, name);
  writeFileSync(file, content, { mode: 0o600 });
  return file;
};
const ca = fileWith('ca.crt', authority.ca);
const otherCa = fileWith('other-ca.crt', createTestAuthority().ca);

/** Files of a certificate for `host`, readable by PostgreSQL. */
function certificateFor(host: string): { cert: string; key: string } {
  const own = mkdtempSync(join(folder, 'certificate-'));
  const issued = authority.issue(host);
  const files = { cert: join(own, 'tls.crt'), key: join(own, 'tls.key') };
  writeFileSync(files.cert, issued.cert, { mode: 0o600 });
  writeFileSync(files.key, issued.key, { mode: 0o600 });
  const { owner } = postgresUser();
  chownTo(owner, own);
  return files;
}

async function start(spec: ChildSpec): Promise<void> {
  const server = createPrivateServer(spec);
  stops.push(() => server.close());
  await server.start();
}

/** The addresses of the servers, with `localhost` as their host and without TLS. */
interface Addresses {
  postgres: string;
  nats: string;
  redis: string;
}

/** Starts NATS and Redis, and PostgreSQL in `data`, with a certificate for `host`. */
async function startServers(host: string): Promise<Addresses> {
  const own = mkdtempSync(join(folder, 'servers-'));
  const { cert, key } = certificateFor(host);
  const toolchain = join(import.meta.dirname, '../../.toolchain');
  const programs = await findPrograms(['nats-server', 'redis-server'], toolchain, () => {});
  const [natsPort, redisPort] = [await freePort(), await freePort()];
  const nats = natsServer(programs, {
    folder: own,
    port: natsPort,
    password,
    authorization: `authorization { user: test, password: "${password}" }
tls { cert_file: "${cert}", key_file: "${key}" }`,
  });
  const redis = redisServer(programs, { folder: own, port: redisPort, password });
  const redisTls = ['--port', '0', '--tls-port', String(redisPort), '--tls-auth-clients', 'no'];
  const redisFiles = ['--tls-cert-file', cert, '--tls-key-file', key];
  const postgres = postgresServer({ folder: own, port: await freePort(), forTests: true });
  const ssl = ['-c', 'ssl=on', '-c', `ssl_cert_file=${cert}`, '-c', `ssl_key_file=${key}`];
  await Promise.all([
    start(nats.spec),
    start({
      ...redis.spec,
      command: [...redis.spec.command, ...redisTls, ...redisFiles],
      isReady: async () => (await portError(redisPort)) !== undefined,
    }),
    start({ ...postgres.spec, command: [...postgres.spec.command, ...ssl] }),
  ]);
  const atLocalhost = (url: string) => url.replace('127.0.0.1', 'localhost');
  return {
    postgres: atLocalhost(postgres.url),
    nats: `nats://test:${password}@localhost:${natsPort}`,
    redis: atLocalhost(redis.url),
  };
}

/** The address with TLS, verified with the certificate of `caFile`. */
const withTls = {
  postgres: (url: string, caFile: string) => `${url}?sslmode=verify-full&sslrootcert=${caFile}`,
  nats: (url: string, caFile: string) => `${url.replace('nats:', 'tls:')}?ca=${caFile}`,
  redis: (url: string, caFile: string) => `${url.replace('redis:', 'rediss:')}?ca=${caFile}`,
};

const migrations = new URL('.', import.meta.url);
const isEncrypted = statement<{ ssl: boolean }>(
  'is_encrypted',
  'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
);
/** Connects, as a process does, and returns whether the connection is encrypted. Errors: it does not connect. */
const connects: Record<keyof Addresses, (url: string) => Promise<boolean>> = {
  async postgres(url) {
    const db = await openDatabase(
      ormOptions({ url, schema: 'public', entities: [], migrations }),
      1,
    );
    try {
      const [row] = await db.query(isEncrypted);
      return row?.ssl === true;
    } finally {
      await db.close();
    }
  },
  async nats(url) {
    const nats = await connect({
      ...connectionOptions(url, 'test'),
      waitOnFirstConnect: false,
      reconnect: false,
    });
    const { tls_required: isTls } = nats.info ?? {};
    await nats.close();
    return isTls === true;
  },
  async redis(url) {
    const redis = connectRedis(url, unobserved);
    try {
      await Promise.race([
        once(redis, 'ready'),
        once(redis, 'error').then(([error]) => Promise.reject(error)),
      ]);
      return (await redis.ping()) === 'PONG';
    } finally {
      redis.destroy();
    }
  },
};

let servers: Addresses;
let misnamed: Addresses;
beforeAll(async () => {
  [servers, misnamed] = await Promise.all([startServers('localhost'), startServers('elsewhere')]);
});
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['postgres', 'nats', 'redis'] as const)('a process with TLS to %s', (name) => {
  test('connects to a server whose certificate the authority has issued', async () => {
    expect(await connects[name](withTls[name](servers[name], ca))).toBe(true);
  });

  test('rejects a certificate of another authority', async () => {
    await expect(connects[name](withTls[name](servers[name], otherCa))).rejects.toThrow();
  });

  test('rejects a certificate for another host', async () => {
    await expect(connects[name](withTls[name](misnamed[name], ca))).rejects.toThrow();
  });

  test('rejects a server without TLS', async () => {
    const plain = {
      postgres: inject('postgresUrl'),
      nats: inject('natsUrl'),
      redis: inject('redisUrl'),
    };
    await expect(connects[name](withTls[name](plain[name], ca))).rejects.toThrow();
  });
});

test('the leader lock uses TLS, too', async () => {
  const lock = (url: string) => createLeaderLock({ databaseUrl: url, name: 'tls' });
  const accepted = lock(withTls.postgres(servers.postgres, ca));
  await eventually(async () => expect(await accepted.isLeader()).toBe(true));
  await accepted.close();
  const rejected = lock(withTls.postgres(servers.postgres, otherCa));
  expect(await rejected.isLeader()).toBe(false);
  await rejected.close();
});
