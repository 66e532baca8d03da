import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chownTo, FAST_SHUTDOWN, postgresUser } from '@event-api/local-servers/postgres-user';
import type { DrillEnvironment } from './environment.ts';

/** A copy of all data of PostgreSQL. */
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
  const { processes, postgresData } = environment;
  const folder = mkdtempSync(join(tmpdir(), 'event-api-copy-'));
  const copy = join(folder, 'postgres');
  await processes.stop('postgres', FAST_SHUTDOWN);
  cpSync(postgresData, copy, { recursive: true });
  await processes.restart('postgres');
  return {
    async putBack(whileStopped = () => {}) {
      await processes.stop('postgres', FAST_SHUTDOWN);
      whileStopped();
      rmSync(postgresData, { recursive: true, force: true });
      cpSync(copy, postgresData, { recursive: true });
      // PostgreSQL starts only with its own private directory, and the copy has neither owner nor
      // mode.
      chmodSync(postgresData, 0o700);
      chownTo(postgresUser().owner, postgresData);
      await processes.restart('postgres');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
