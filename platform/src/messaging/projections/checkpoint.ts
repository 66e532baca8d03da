import { setTimeout as delay } from 'node:timers/promises';
import type { Origin } from '@event-api/contracts/messages/snapshot';
import type { Db } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { isOlderStream, type ReadAfterToken } from '../read-after/token.ts';

export interface CheckpointRow {
  seq: number;
  incarnation: string;
  anchor: string;
  shape: string;
}

type CheckpointRef = Pick<CheckpointRow, 'seq' | 'incarnation'>;

/** How far the copies of this process's service have come. */
export interface Checkpoint {
  /**
   * Waits until the copies have come as far as the token says, for `withinMs` at most, a second where nothing is said, and answers whether they have.
   * Those of a token of a stream that is gone have: there is nothing to wait for. Never fails.
   */
  waitFor(token: ReadAfterToken, timeoutMs?: number): Promise<boolean>;
  /** Told by the projector of this process after each commit, and of what it finds when it begins. */
  advance(to: CheckpointRef): void;
  /** What is known here may be too much: a stream that has lost its end counts from an earlier number. */
  reset(): void;
}

const defaultTimeoutMs = 1000;
const pollIntervalMs = 5;
/** How long one waits after a wait was in vain, until the position moves again. */
const stalledTimeoutMs = 50;

export function createCheckpoint(options: {
  db: Db;
  schema: string;
  /** Whose messages the copies here are made from. */
  origins: readonly Origin[];
  /** How long a read waits that sets no limit, a second by default. */
  timeoutMs?: number;
}): Checkpoint {
  const { db, origins } = options;
  const readTimeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const read = readCheckpoint(options.schema);
  let latest: CheckpointRef | null = null;
  let stalledAt: CheckpointRef | null = null;
  /** How long somebody has waited in vain since the position last moved. */
  let lastTimedOutMs = 0;
  let pollInProgress: Promise<void> | null = null;

  function advance({ seq, incarnation }: CheckpointRef): void {
    latest = { seq, incarnation };
    if (seq !== stalledAt?.seq || incarnation !== stalledAt.incarnation) lastTimedOutMs = 0;
  }

  // Another replica may be the one that applies messages: the table tells all of them.
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
    latest?.incarnation === streamCreatedAt && latest.seq >= need;

  // Its numbers mean nothing any more. One of a newer stream is waited for: the copies will get there.
  const isOfOlderStream = ({ streamCreatedAt }: ReadAfterToken): boolean =>
    latest !== null && isOlderStream(streamCreatedAt, latest.incarnation);

  return {
    advance,
    reset() {
      latest = null;
    },
    async waitFor(token, timeoutMs = readTimeoutMs) {
      const need = Math.max(0, ...origins.map((origin) => token.sequences[origin] ?? 0));
      if (need === 0 || isReached(token, need)) return true;
      const waitMs =
        timeoutMs <= lastTimedOutMs ? Math.min(stalledTimeoutMs, timeoutMs) : timeoutMs;
      const deadline = performance.now() + waitMs;
      while (performance.now() < deadline) {
        pollInProgress ??= poll();
        try {
          await pollInProgress;
        } catch {
          // Without the database the request has nothing to read anyway, and says so sooner.
          return false;
        }
        if (isReached(token, need) || isOfOlderStream(token)) return true;
        await delay(pollIntervalMs);
      }
      markStalled(waitMs);
      return false;
    },
  };
}

export const readCheckpoint = (schema: string): Statement<CheckpointRow> =>
  statement(
    'position_read',
    `select seq, incarnation, anchor, shape from ${schema}.projection_position where name = 'copies'`,
  );
