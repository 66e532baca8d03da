import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../src/db/database.ts';
import { ormOptions } from '../src/db/migrations.ts';
import { statement } from '../src/db/statement.ts';
import { connectionOptions } from '../src/messaging/bus/connect.ts';
import { createLeaderLock } from '../src/messaging/projections/leader.ts';
import { connectRedis } from '../src/redis/connect.ts';
import { unobserved } from '../src/telemetry/dependencies.ts';
import { createTestAuthority } from '../testing/certificates.ts';
import { eventually } from '../testing/eventually.ts';
import { natsUrl, postgresUrl, redisUrl } from '../testing/servers.ts';
import { type ServerAddresses, startTlsServers, withTls } from '../testing/tls-servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-tls-'));
const authority = createTestAuthority();

const fileWith = (name: string, content: string): string => {
  const file = join(folder, name);
  writeFileSync(file, content, { mode: 0o600 });
  return file;
};
const ca = fileWith('ca.crt', authority.ca);
const otherCa = fileWith('other-ca.crt', createTestAuthority().ca);

const migrations = new URL('.', import.meta.url);
const isEncrypted = statement<{ ssl: boolean }>(
  'is_encrypted',
  'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
);
/**
 * Connects, as a process does, and returns whether the connection is encrypted. Errors: it does not
 * connect.
 */
const connects: Record<keyof ServerAddresses, (url: string) => Promise<boolean>> = {
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

type Servers = Awaited<ReturnType<typeof startTlsServers>>;
let servers: Servers;
let misnamed: Servers;
beforeAll(async () => {
  const start = (host: string) => startTlsServers({ folder, authority, host });
  [servers, misnamed] = await Promise.all([start('localhost'), start('elsewhere')]);
});
afterAll(async () => {
  await Promise.all([servers?.close(), misnamed?.close()]);
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
      postgres: await postgresUrl(),
      nats: await natsUrl(),
      redis: await redisUrl(),
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
