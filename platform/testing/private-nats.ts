import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { natsServer } from '@event-api/local-servers/nats';
import { freePort } from '@event-api/local-servers/ports';
import { findPrograms } from '@event-api/local-servers/programs';
import { randomPassword } from '@event-api/provisioning/secret-files';
import { createPrivateServer } from './private-server.ts';

/**
 * A NATS server of one test, which the test may kill or stall. It keeps its address and data across
 * restarts. `authorization` replaces its only user.
 */
export async function startPrivateNats(options: { isUp?: boolean; authorization?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-nats-'));
  const store = join(folder, 'nats');
  const toolchain = join(import.meta.dirname, '../../.toolchain');
  const programs = await findPrograms(['nats-server'], toolchain, () => {});
  const { authorization } = options;
  const own = { folder, port: await freePort(), password: randomPassword() };
  const { url, spec } = natsServer(programs, { ...own, ...(authorization && { authorization }) });
  const server = createPrivateServer(spec);
  const { start, kill } = server;
  if (options.isUp ?? true) await start();
  return {
    ...server,
    url,
    /** Replaces the users of the running server. */
    setAuthorization(changed: string): void {
      natsServer(programs, { ...own, authorization: changed });
      server.reload();
    },
    /** Deletes all stored data, as with a new volume. */
    async wipe() {
      await kill();
      rmSync(store, { recursive: true, force: true });
      await start();
    },
    /** Saves a backup of the stored data; this restarts the server. */
    async backUp() {
      await kill('SIGTERM');
      const backup = mkdtempSync(join(tmpdir(), 'event-api-nats-copy-'));
      cpSync(store, backup, { recursive: true });
      await start();
      return async function restore(): Promise<void> {
        await kill();
        rmSync(store, { recursive: true, force: true });
        cpSync(backup, store, { recursive: true });
        rmSync(backup, { recursive: true, force: true });
        await start();
      };
    },
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type PrivateNats = Awaited<ReturnType<typeof startPrivateNats>>;
