import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import type { Db } from '../db/database.ts';
import { type Statement, statement } from '../db/statement.ts';
import type { Poison } from './apply.ts';
import type { Copy, Keeps } from './copy.ts';
import { type PositionRow, readPosition } from './position.ts';

/** Another process has moved the position: what was about to be written is out of date. */
export class Fenced extends Error {}

/** What stands in place of the shape when somebody has asked for a resync. */
export const resyncAsked = '';

function statementsOn(schema: string) {
  const position = `${schema}.projection_position`;
  return {
    read: readPosition(schema),
    start: statement(
      'position_start',
      `insert into ${position} (name, seq, incarnation, anchor, shape)
       values ('copies', 0, '', '', '${resyncAsked}') on conflict do nothing`,
    ),
    askResync: statement(
      'position_ask_resync',
      `update ${position} set shape = '${resyncAsked}' where name = 'copies'`,
    ),
    countBuried: statement<{ count: number }>(
      'dead_letter_count',
      `select count(*)::int as count from ${schema}.dead_letter`,
    ),
  };
}

/**
 * Moves the position, and where it was found as it should be, buries what is bad and writes copies: all in one statement,
 * and so in one commit.
 */
function writing(schema: string, copies: readonly Copy[], keeps: Keeps): string {
  const parts = copies.map(
    (copy, n) => `, copy_${n} as (${copy.upsertIf('moved', firstOfRows + n, keeps)})`,
  );
  return `with moved as (
      update ${schema}.projection_position set seq = $1, incarnation = $2, anchor = $3, shape = $4
      where name = 'copies' and seq = $5 and incarnation = $6 and shape = $7 returning seq as moved_to),
    buried as (insert into ${schema}.dead_letter (incarnation, seq, index, body, error)
      select $2, b.* from unnest($8::bigint[], $9::int[], $10::text[], $11::text[]) b, moved
      on conflict do nothing)
    ${parts.join('')}
    select moved_to from moved`;
}
const firstOfRows = 12;

/** What is written together with a move of the position. */
export interface Written {
  poison: readonly Poison[];
  copies: readonly { copy: Copy; snapshots: readonly Snapshot[] }[];
  keeps: Keeps;
}

const nothing: Written = { poison: [], copies: [], keeps: 'newest' };

/** A service's statements on its own position and dead letters. */
export function createProjectionQueries(schema: string) {
  const statements = statementsOn(schema);
  const writes = new Map<string, Statement<{ moved_to: number }>>();
  const numbers = new Map<Copy, number>();

  /** One for each set of copies that has ever been written together. */
  function statementFor(copies: readonly Copy[], keeps: Keeps): Statement<{ moved_to: number }> {
    for (const copy of copies) if (!numbers.has(copy)) numbers.set(copy, numbers.size);
    const key = [keeps, ...copies.map((copy) => numbers.get(copy))].join('_');
    const made =
      writes.get(key) ??
      statement<{ moved_to: number }>(`copies_write_${key}`, writing(schema, copies, keeps));
    writes.set(key, made);
    return made;
  }

  return {
    async readPosition(db: Db): Promise<PositionRow> {
      const [row] = await db.query(statements.read);
      if (row) return row;
      await db.query(statements.start);
      return { seq: 0, incarnation: '', anchor: '', shape: resyncAsked };
    },
    /**
     * Moves the position, and writes what belongs to that in the same commit. Locks: the position, then the copies' rows, in
     * the order of their ids. Errors: `Fenced`, with nothing written, unless the position is still `from`.
     */
    async move(
      db: Db,
      from: PositionRow,
      to: PositionRow,
      { poison, copies, keeps }: Written = nothing,
    ): Promise<void> {
      const write = statementFor(
        copies.map(({ copy }) => copy),
        keeps,
      );
      const [row] = await db.query(write, [
        to.seq,
        to.incarnation,
        to.anchor,
        to.shape,
        from.seq,
        from.incarnation,
        from.shape,
        poison.map(({ seq }) => seq),
        poison.map(({ index }) => index),
        poison.map(({ body }) => body.replaceAll('\0', '')),
        poison.map(({ error }) => error.slice(0, 2000).replaceAll('\0', '')),
        ...copies.map(({ copy, snapshots }) => copy.rowsOf(snapshots)),
      ]);
      if (!row) throw new Fenced('the position has been moved by another process');
    },
    /** Whoever leads finds itself fenced, now or at its next look, and makes the copies anew. */
    askResync: async (db: Db): Promise<void> => void (await db.query(statements.askResync)),
    async countBuried(db: Db): Promise<number> {
      const [row] = await db.query(statements.countBuried);
      return row?.count ?? 0;
    },
  };
}

export type ProjectionQueries = ReturnType<typeof createProjectionQueries>;
