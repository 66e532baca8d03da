import type { Db, Tx } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { Poison } from './apply.ts';
import { type PositionRow, readPosition } from './position.ts';

/** Another process has moved the position: what was about to be written is out of date. */
export class Fenced extends Error {}

/** What stands in place of the shape when somebody has asked for a resync. */
export const resyncAsked = '';

function statementsOn(schema: string) {
  const position = `${schema}.projection_position`;
  return {
    read: readPosition(schema),
    move: statement<{ seq: number }>(
      'position_move',
      `update ${position} set seq = $1, incarnation = $2, anchor = $3, shape = $4
       where name = 'copies' and seq = $5 and incarnation = $6 and shape = $7 returning seq`,
    ),
    start: statement(
      'position_start',
      `insert into ${position} (name, seq, incarnation, anchor, shape)
       values ('copies', 0, '', '', '${resyncAsked}') on conflict do nothing`,
    ),
    askResync: statement(
      'position_ask_resync',
      `update ${position} set shape = '${resyncAsked}' where name = 'copies'`,
    ),
    bury: statement(
      'dead_letter_bury',
      `insert into ${schema}.dead_letter (incarnation, seq, index, body, error)
       select * from unnest($1::text[], $2::bigint[], $3::int[], $4::text[], $5::text[]) on conflict do nothing`,
    ),
    countBuried: statement<{ count: number }>(
      'dead_letter_count',
      `select count(*)::int as count from ${schema}.dead_letter`,
    ),
  };
}

/** A service's statements on its own position and dead letters. */
export function createProjectionQueries(schema: string) {
  const statements = statementsOn(schema);
  return {
    async readPosition(db: Db): Promise<PositionRow> {
      const [row] = await db.query(statements.read);
      if (row) return row;
      await db.query(statements.start);
      return { seq: 0, incarnation: '', anchor: '', shape: resyncAsked };
    },
    /** First in every transaction that writes copies. Errors: `Fenced` unless the position is still `from`. */
    async move(tx: Tx, from: PositionRow, to: PositionRow): Promise<void> {
      const [row] = await tx.query(statements.move, [
        to.seq,
        to.incarnation,
        to.anchor,
        to.shape,
        from.seq,
        from.incarnation,
        from.shape,
      ]);
      if (!row) throw new Fenced('the position has been moved by another process');
    },
    /** Whoever leads finds itself fenced, now or at its next look, and makes the copies anew. */
    askResync: async (db: Db): Promise<void> => void (await db.query(statements.askResync)),
    async bury(tx: Tx, incarnation: string, poison: readonly Poison[]): Promise<void> {
      if (poison.length === 0) return;
      await tx.query(statements.bury, [
        poison.map(() => incarnation),
        poison.map(({ seq }) => seq),
        poison.map(({ index }) => index),
        poison.map(({ body }) => body.replaceAll('\0', '')),
        poison.map(({ error }) => error.slice(0, 2000).replaceAll('\0', '')),
      ]);
    },
    async countBuried(db: Db): Promise<number> {
      const [row] = await db.query(statements.countBuried);
      return row?.count ?? 0;
    },
  };
}

export type ProjectionQueries = ReturnType<typeof createProjectionQueries>;
