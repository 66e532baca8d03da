import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  callerIssuers,
  containerUrl,
  processNames,
  schemas,
  topology,
} from '@event-api/contracts/topology';
import { callerKeys } from '@event-api/provisioning/keys';
import { provisionedUrls } from '@event-api/provisioning/provision';
import { readOrCreatePassword } from '@event-api/provisioning/secret-files';
import { busUsers, natsConfig } from './nats-config.ts';

/**
 * Writes the settings and server configurations of the containers below `folder`, one folder for each container, so that
 * none can read the keys of another. The first run generates passwords and keys and stores them in `folder`/admin.
 */
export function initialise(folder: string): void {
  const admin = join(folder, 'admin');
  mkdirSync(admin, { recursive: true, mode: 0o700 });
  const password = (name: string) => readOrCreatePassword(admin, `${name}.password`);
  const keys = callerKeys(admin, callerIssuers);
  const superuser = `postgres://postgres:${password('postgres')}@postgres:5432/postgres`;
  const database = provisionedUrls(superuser, schemas);
  const redisUrl = `redis://:${password('redis')}@redis:6379`;
  const sandboxSecret = password('sandbox');

  write(folder, 'postgres/password', password('postgres'));
  const passwords = Object.fromEntries(
    busUsers.map(({ name }) => [name, password(`nats-${name}`)]),
  );
  write(
    folder,
    'nats/nats.conf',
    natsConfig({ passwords, listen: '0.0.0.0:4222', storeDir: '/data' }),
  );
  const redis = [`requirepass ${password('redis')}`, 'save ""', 'appendonly no'];
  write(folder, 'redis/redis.conf', `${redis.join('\n')}\n`);
  write(folder, 'provision/process.env', lines({ PROVISION_DATABASE_URL: superuser }));
  write(folder, 'owner/process.env', lines({ MIGRATION_DATABASE_URL: database.owner }));
  for (const { name, servers } of topology) {
    const settings = {
      DATABASE_URL: database.app[name],
      CALLER_PRIVATE_KEY: JSON.stringify(keys.private[name]),
      CALLER_PUBLIC_KEYS: JSON.stringify(keys.public),
      ...(servers.includes('nats') && { NATS_URL: `nats://${name}:${passwords[name]}@nats:4222` }),
      ...(servers.includes('redis') && { REDIS_URL: redisUrl }),
      ...(name === 'commerce' && { SANDBOX_SECRETS: sandboxSecret }),
    };
    write(folder, `${name}/process.env`, lines(settings));
  }
  write(folder, 'payment-sandbox/process.env', lines({ SANDBOX_SECRETS: sandboxSecret }));
  const internalUrls = Object.fromEntries(
    processNames.map((name) => [name, containerUrl(name, 'internal')]),
  );
  const baseUrl = containerUrl('gateway', 'api');
  const platform = { pid: 1, baseUrl, internalUrls, redisUrl };
  write(folder, 'admin/platform.json', JSON.stringify(platform));
}

/** Other users can read the file, because servers change their user at startup. The mounts restrict who sees it. */
function write(folder: string, file: string, content: string): void {
  const path = join(folder, file);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content, { mode: 0o644 });
}

/** The format of `node --env-file`. No value contains a single quote. */
const lines = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');

if (import.meta.main) initialise('/run/event-api');
