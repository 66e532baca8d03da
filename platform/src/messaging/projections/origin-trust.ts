import type { Origin } from '@event-api/contracts/messages/snapshot';
import { projectionTimeouts } from '../../core/timeouts.ts';
import type { Database } from '../../db/database.ts';
import { type CheckpointRow, isResyncPending, readCheckpoint } from './checkpoint.ts';
import { type OriginStatus, worstStatus } from './origins.ts';

/** Tells decisions how far projections can be trusted. */
export interface OriginTrust {
  /** The least trustworthy status of these origins. Errors: those of the database. */
  statusOf(origins: readonly Origin[]): Promise<OriginStatus>;
}

/**
 * Reads the status from the checkpoint, which the leader of the service writes, at most ten times a
 * second. After a lost connection to the database it is read again, because the database may have
 * been put back.
 */
export function createOriginTrust(options: { db: Database; schema: string }): OriginTrust {
  const { db } = options;
  const read = readCheckpoint(options.schema);
  let latest: { row: CheckpointRow | null; at: number } | null = null;
  let reading: Promise<CheckpointRow | null> | null = null;

  async function load(): Promise<CheckpointRow | null> {
    try {
      const at = performance.now();
      const [row = null] = await db.query(read);
      latest = { row, at };
      return row;
    } finally {
      reading = null;
    }
  }

  async function checkpoint(): Promise<CheckpointRow | null> {
    if (latest && performance.now() - latest.at < projectionTimeouts.trustTtlMs) return latest.row;
    reading ??= load();
    return reading;
  }

  db.onConnectionLost(() => {
    latest = null;
  });
  return {
    async statusOf(origins) {
      const row = await checkpoint();
      return row ? worstStatus(row.origins, origins, isResyncPending(row)) : 'unconfirmed';
    },
  };
}

/** Trusts every projection, for a process that follows no stream. */
export const fullTrust: OriginTrust = { statusOf: async () => 'confirmed' };
