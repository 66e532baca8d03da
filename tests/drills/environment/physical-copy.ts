import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chownTo, FAST_SHUTDOWN, postgresUser } from '@event-api/local-servers/postgres-user';
import type { DrillEnvironment } from './environment.ts';
import type { PostgresServer } from './layout.ts';

/** A copy of all data of PostgreSQL, on every server. */
export interface PhysicalCopy {
  /**
   * Puts PostgreSQL back to the copy: what was committed since is lost. NATS and Redis stay as they
   * are. Calls `whileStopped` while the server is stopped.
   */
  putBack(whileStopped?: () => void): Promise<void>;
  remove(): void;
}

/**
 * Copies the data directory of PostgreSQL. The server is stopped meanwhile, so requests fail.
 *
 * It does not use the backups of `deploy/provisioning/backup`, for two reasons. Their restore
 * replays the log and begins a new timeline. A copy that is put back has the same timeline and the
 * same sequences as the lost history, so nothing in PostgreSQL shows the loss: this is the harder
 * case for the detection. Backups also need an archived log, with which every platform of the
 * drills would have to start. `deploy/test/backup.slow.test.ts` restores them.
 */
export async function copyPostgres(environment: DrillEnvironment): Promise<PhysicalCopy> {
  const { processes, postgresServers } = environment;
  const folder = mkdtempSync(join(tmpdir(), 'event-api-copy-'));
  const onEach = (work: (server: PostgresServer) => unknown) =>
    Promise.all(postgresServers.map(async (server) => work(server)));
  const copyOf = ({ program }: PostgresServer) => join(folder, program);
  await onEach(({ program }) => processes.stop(program, FAST_SHUTDOWN));
  await onEach((server) => cpSync(server.data, copyOf(server), { recursive: true }));
  await onEach(({ program }) => processes.restart(program));
  return {
    async putBack(whileStopped = () => {}) {
      await onEach(({ program }) => processes.stop(program, FAST_SHUTDOWN));
      whileStopped();
      await onEach((server) => {
        rmSync(server.data, { recursive: true, force: true });
        cpSync(copyOf(server), server.data, { recursive: true });
        // PostgreSQL starts only with its own private directory, and the copy has neither owner nor
        // mode.
        chmodSync(server.data, 0o700);
        chownTo(postgresUser().owner, server.data);
      });
      await onEach(({ program }) => processes.restart(program));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
