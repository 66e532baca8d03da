import { setTimeout as delay } from 'node:timers/promises';
import type { Origin } from '@event-api/contracts/messages/snapshot';
import type { Db } from '../db/database.ts';
import { type Statement, statement } from '../db/statement.ts';
import type { ReadAfter } from '../read-after/token.ts';

export interface PositionRow {
  seq: number;
  incarnation: string;
  anchor: string;
  shape: string;
}

/** How far the copies of this process's service have come. */
export interface Position {
  /**
   * Resolves when the copies have come as far as the token says, or when waiting longer is of no
   * use: after the budget, or for a token of another stream. Never fails.
   */
  reach(token: ReadAfter): Promise<void>;
  /** Told by the projector of this process after each commit. */
  moved(to: Pick<PositionRow, 'seq' | 'incarnation'>): void;
}

const lookEveryMs = 5;
/** How long one waits after a wait was in vain, until the position moves again. */
const stalledBudgetMs = 50;

export function createPosition(options: {
  db: Db;
  schema: string;
  /** Whose messages the copies here are made from. */
  origins: readonly Origin[];
  budgetMs: number;
}): Position {
  const { db, origins } = options;
  const read = readPosition(options.schema);
  let known: Pick<PositionRow, 'seq' | 'incarnation'> | null = null;
  let stalled = false;
  let looking: Promise<void> | null = null;

  function moved(to: Pick<PositionRow, 'seq' | 'incarnation'>): void {
    if (known?.incarnation === to.incarnation && known.seq >= to.seq) return;
    known = { seq: to.seq, incarnation: to.incarnation };
    stalled = false;
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

  function isReached(token: ReadAfter, need: number): boolean {
    return known?.incarnation === token.incarnation && known.seq >= need;
  }

  return {
    moved,
    async reach(token) {
      const need = Math.max(0, ...origins.map((origin) => token.positions[origin] ?? 0));
      if (need === 0 || isReached(token, need)) return;
      const deadline =
        performance.now() +
        (stalled ? Math.min(stalledBudgetMs, options.budgetMs) : options.budgetMs);
      while (performance.now() < deadline) {
        looking ??= look();
        await looking.catch(() => {});
        if (isReached(token, need)) return;
        // A stream that was made anew counts from one again; nothing here will ever reach the old number.
        if (known && known.incarnation !== token.incarnation) return;
        await delay(lookEveryMs);
      }
      stalled = true;
    },
  };
}

export const readPosition = (schema: string): Statement<PositionRow> =>
  statement(
    'position_read',
    `select seq, incarnation, anchor, shape from ${schema}.projection_position where name = 'copies'`,
  );
