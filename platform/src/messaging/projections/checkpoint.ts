import { setTimeout as delay } from 'node:timers/promises';
import type { Origin } from '@event-api/contracts/messages/snapshot';
import { readAfterTimeouts } from '../../core/timeouts.ts';
import { columnsOf, type RowOf } from '../../db/columns.ts';
import type { Database } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { isOlderStream, type ReadAfterToken } from '../read-after/token.ts';
import { ProjectionCheckpoint } from './projection.entity.ts';

const columns = columnsOf(ProjectionCheckpoint, 'c', { omit: ['name'] });
export type CheckpointRow = RowOf<typeof columns>;

/** The value of the fingerprint column while a resync is requested. */
export const resyncRequested = '';
/** The start of that value while a resync is running. */
export const resyncPrefix = 'resync ';

/** Whether a resync has been requested or started and is not complete. */
export const isResyncPending = ({
  schemaFingerprint,
}: Pick<CheckpointRow, 'schemaFingerprint'>): boolean =>
  schemaFingerprint === resyncRequested || schemaFingerprint.startsWith(resyncPrefix);

type CheckpointRef = Pick<CheckpointRow, 'seq' | 'streamCreatedAt'>;

/** How far the projections of this service have come. */
export interface Checkpoint {
  /**
   * Waits until the projections have reached the sequences of the token, at most `timeoutMs`
   * (default one second). Returns whether they have. A token of an older stream is always
   * satisfied. Never fails.
   */
  waitFor(token: ReadAfterToken, timeoutMs?: number): Promise<boolean>;
  /** Called by the projector of this process at its start and after each commit. */
  advance(to: CheckpointRef): void;
  /** Discards the known sequence: a stream that has lost its end counts from a lower number. */
  reset(): void;
}

export function createCheckpoint(options: {
  db: Pick<Database, 'query' | 'onConnectionLost'>;
  schema: string;
  /** The origins of the projections. */
  origins: readonly Origin[];
  /** The default time-out of a wait, one second if omitted. */
  timeoutMs?: number;
}): Checkpoint {
  const { db, origins } = options;
  const readTimeoutMs = options.timeoutMs ?? readAfterTimeouts.waitMs;
  const read = readCheckpoint(options.schema);
  let latest: CheckpointRef | null = null;
  let stalledAt: CheckpointRef | null = null;
  /** The longest wait that has timed out since the checkpoint last advanced. */
  let lastTimedOutMs = 0;
  let pollInProgress: Promise<void> | null = null;

  function advance({ seq, streamCreatedAt }: CheckpointRef): void {
    latest = { seq, streamCreatedAt };
    if (seq !== stalledAt?.seq || streamCreatedAt !== stalledAt.streamCreatedAt) lastTimedOutMs = 0;
  }

  // A database server that ended abnormally may have lost the last commits of the projections.
  db.onConnectionLost(() => {
    latest = null;
  });

  // Another replica may apply the messages; all replicas read the table.
  async function poll(): Promise<void> {
    try {
      const [row] = await db.query(read);
      if (row) advance(row);
    } finally {
      pollInProgress = null;
    }
  }

  function markStalled(waitedMs: number): void {
    lastTimedOutMs = Math.max(lastTimedOutMs, waitedMs);
    stalledAt = latest;
  }

  const isReached = ({ streamCreatedAt }: ReadAfterToken, need: number): boolean =>
    latest?.streamCreatedAt === streamCreatedAt && latest.seq >= need;

  // The sequences of an older stream are meaningless. For a newer stream the wait continues: the
  // projections will get there.
  const isOfOlderStream = ({ streamCreatedAt }: ReadAfterToken): boolean =>
    latest !== null && isOlderStream(streamCreatedAt, latest.streamCreatedAt);

  return {
    advance,
    reset() {
      latest = null;
    },
    async waitFor(token, timeoutMs = readTimeoutMs) {
      const need = Math.max(0, ...origins.map((origin) => token.sequences[origin] ?? 0));
      if (need === 0 || isReached(token, need)) return true;
      const waitMs =
        timeoutMs <= lastTimedOutMs
          ? Math.min(readAfterTimeouts.stalledWaitMs, timeoutMs)
          : timeoutMs;
      const deadline = performance.now() + waitMs;
      while (performance.now() < deadline) {
        pollInProgress ??= poll();
        try {
          await pollInProgress;
        } catch {
          // Without the database the request cannot read anything and fails by itself.
          return false;
        }
        if (isReached(token, need) || isOfOlderStream(token)) return true;
        await delay(readAfterTimeouts.pollIntervalMs);
      }
      markStalled(waitMs);
      return false;
    },
  };
}

/** The one row of the checkpoint table: a service advances all of its projections together. */
export const checkpointName = 'projections';

export const readCheckpoint = (schema: string): Statement<CheckpointRow> =>
  statement(
    'checkpoint_read',
    `select ${columns.sql} from ${schema}.projection_checkpoint c where c.name = '${checkpointName}'`,
  );
