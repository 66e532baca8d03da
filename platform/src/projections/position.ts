import { setTimeout as delay } from 'node:timers/promises';
import type { Origin } from '@event-api/contracts/messages/snapshot';
import type { Db } from '../db/database.ts';
import { type Statement, statement } from '../db/statement.ts';
import { isOlderStream, type ReadAfter } from '../read-after/token.ts';

export interface PositionRow {
  seq: number;
  incarnation: string;
  anchor: string;
  shape: string;
}

type Place = Pick<PositionRow, 'seq' | 'incarnation'>;

/** How far the copies of this process's service have come. */
export interface Position {
  /**
   * Waits until the copies have come as far as the token says, for `withinMs` at most, a second where nothing is said, and answers whether they have.
   * Those of a token of a stream that is gone have: there is nothing to wait for. Never fails.
   */
  reach(token: ReadAfter, withinMs?: number): Promise<boolean>;
  /** Told by the projector of this process after each commit, and of what it finds when it begins. */
  moved(to: Place): void;
  /** What is known here may be too much: a stream that has lost its end counts from an earlier number. */
  forget(): void;
}

const defaultPatienceMs = 1000;
const lookEveryMs = 5;
/** How long one waits after a wait was in vain, until the position moves again. */
const stalledBudgetMs = 50;

export function createPosition(options: {
  db: Db;
  schema: string;
  /** Whose messages the copies here are made from. */
  origins: readonly Origin[];
  /** How long a read waits that sets no limit, a second by default. */
  patienceMs?: number;
}): Position {
  const { db, origins, patienceMs = defaultPatienceMs } = options;
  const read = readPosition(options.schema);
  let known: Place | null = null;
  let stalledAt: Place | null = null;
  /** How long somebody has waited in vain since the position last moved. */
  let inVainMs = 0;
  let looking: Promise<void> | null = null;

  function moved({ seq, incarnation }: Place): void {
    known = { seq, incarnation };
    if (seq !== stalledAt?.seq || incarnation !== stalledAt.incarnation) inVainMs = 0;
  }

  // Another replica may be the one that applies messages: the table tells all of them.
  async function look(): Promise<void> {
    try {
      const [row] = await db.query(read);
      if (row) moved(row);
    } finally {
      looking = null;
    }
  }

  function stall(waitedMs: number): void {
    inVainMs = Math.max(inVainMs, waitedMs);
    stalledAt = known;
  }

  const isReached = ({ incarnation }: ReadAfter, need: number): boolean =>
    known?.incarnation === incarnation && known.seq >= need;

  // Its numbers mean nothing any more. One of a newer stream is waited for: the copies will get there.
  const isOfNoUse = ({ incarnation }: ReadAfter): boolean =>
    known !== null && isOlderStream(incarnation, known.incarnation);

  return {
    moved,
    forget() {
      known = null;
    },
    async reach(token, withinMs = patienceMs) {
      const need = Math.max(0, ...origins.map((origin) => token.positions[origin] ?? 0));
      if (need === 0 || isReached(token, need)) return true;
      const waitMs = withinMs <= inVainMs ? Math.min(stalledBudgetMs, withinMs) : withinMs;
      const deadline = performance.now() + waitMs;
      while (performance.now() < deadline) {
        looking ??= look();
        try {
          await looking;
        } catch {
          // Without the database the request has nothing to read anyway, and says so sooner.
          return false;
        }
        if (isReached(token, need) || isOfNoUse(token)) return true;
        await delay(lookEveryMs);
      }
      stall(waitMs);
      return false;
    },
  };
}

export const readPosition = (schema: string): Statement<PositionRow> =>
  statement(
    'position_read',
    `select seq, incarnation, anchor, shape from ${schema}.projection_position where name = 'copies'`,
  );
