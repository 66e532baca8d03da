import type { Db, Tx } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { Poison } from './apply.ts';
import { type PositionRow, readPosition } from './position.ts';

/** Another process has moved the position: what was about to be written is out of date. */
export class Fenced extends Error {}

/** A service's statements on its own position and dead letters. */
export function createProjectionQueries(schema: string) {
  const table = `${schema}.projection_position`;
  const read = readPosition(schema);

  const move = statement<{ seq: number }>(
    'position_move',
    `update ${table} set seq = $1, incarnation = $2, anchor = $3, shape = $4
     where name = 'copies' and seq = $5 and incarnation = $6 returning seq`,
  );

  const start = statement(
    'position_start',
    `insert into ${table} (name, seq, incarnation, anchor, shape) values ('copies', 0, '', '', '')
     on conflict do nothing`,
  );

  const bury = statement(
    'dead_letter_bury',
    `insert into ${schema}.dead_letter (incarnation, seq, index, body, error)
     select * from unnest($1::text[], $2::bigint[], $3::int[], $4::text[], $5::text[]) on conflict do nothing`,
  );

  return {
    async readPosition(db: Db): Promise<PositionRow> {
      const [row] = await db.query(read);
      if (row) return row;
      await db.query(start);
      return { seq: 0, incarnation: '', anchor: '', shape: '' };
    },
    /** First in every transaction that writes copies. Errors: `Fenced` unless the position is still `from`. */
    async move(tx: Tx, from: PositionRow, to: PositionRow): Promise<void> {
      const values = [to.seq, to.incarnation, to.anchor, to.shape, from.seq, from.incarnation];
      const [row] = await tx.query(move, values);
      if (!row) throw new Fenced('the position has been moved by another process');
    },
    async bury(tx: Tx, incarnation: string, poison: readonly Poison[]): Promise<void> {
      if (poison.length === 0) return;
      await tx.query(bury, [
        poison.map(() => incarnation),
        poison.map(({ seq }) => seq),
        poison.map(({ index }) => index),
        poison.map(({ body }) => body.replaceAll('\0', '')),
        poison.map(({ error }) => error.slice(0, 2000).replaceAll('\0', '')),
      ]);
    },
  };
}

export type ProjectionQueries = ReturnType<typeof createProjectionQueries>;
