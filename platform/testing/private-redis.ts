import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { findPrograms } from '@event-api/local-servers/programs';
import { redisServer } from '@event-api/local-servers/redis';
import { randomPassword } from '@event-api/provisioning/secret-files';
import { createPrivateServer } from './private-server.ts';

/**
 * A Redis server of one test, which the test may kill or stall. It keeps its address across
 * restarts, and no data. `users`, an access control list, replaces its password.
 */
export async function startPrivateRedis({ users }: { users?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-redis-'));
  const toolchain = join(import.meta.dirname, '../../.toolchain');
  const programs = await findPrograms(['redis-server'], toolchain, () => {});
  const options = { folder, port: await freePort(), password: randomPassword() };
  const { url, spec } = redisServer(programs, { ...options, ...(users && { users }) });
  const server = createPrivateServer(spec);
  await server.start();
  return {
    ...server,
    url,
    /** Replaces the users; this restarts the server. */
    async setUsers(changed: string): Promise<void> {
      redisServer(programs, { ...options, users: changed });
      await server.kill('SIGTERM');
      await server.start();
    },
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type PrivateRedis = Awaited<ReturnType<typeof startPrivateRedis>>;
