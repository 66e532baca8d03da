import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import type { Db } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { type CheckpointRow, readCheckpoint } from './checkpoint.ts';
import type { DeadLetterInput } from './decode.ts';
import type { ConflictPolicy, Projection } from './projection.ts';

/** Another process has moved the position: what was about to be written is out of date. */
export class CheckpointConflict extends Error {}

/** What stands in place of the shape when somebody has asked for a resync. */
export const resyncRequested = '';

function statementsOn(schema: string) {
  const table = `${schema}.projection_position`;
  return {
    read: readCheckpoint(schema),
    start: statement(
      'position_start',
      `insert into ${table} (name, seq, incarnation, anchor, shape)
       values ('copies', 0, '', '', '${resyncRequested}') on conflict do nothing`,
    ),
    requestResync: statement(
      'position_ask_resync',
      `update ${table} set shape = '${resyncRequested}' where name = 'copies'`,
    ),
    countDeadLetters: statement<{ count: number }>(
      'dead_letter_count',
      `select count(*)::int as count from ${schema}.dead_letter`,
    ),
  };
}

/**
 * Moves the position, and where it was found as it should be, buries what is bad and writes copies: all in one statement,
 * and so in one commit.
 */
function writeSql(
  schema: string,
  projections: readonly Projection[],
  conflictPolicy: ConflictPolicy,
): string {
  const parts = projections.map(
    (projection, n) =>
      `, copy_${n} as (${projection.conditionalUpsertSql('moved', firstRowsParameter + n, conflictPolicy)})`,
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
const firstRowsParameter = 12;

/** What is written together with a move of the position. */
export interface WriteSet {
  deadLetters: readonly DeadLetterInput[];
  projections: readonly { projection: Projection; snapshots: readonly Snapshot[] }[];
  conflictPolicy: ConflictPolicy;
}

const emptyWriteSet: WriteSet = { deadLetters: [], projections: [], conflictPolicy: 'newest' };

/** A service's statements on its own position and dead letters. */
export function createProjectionQueries(schema: string) {
  const statements = statementsOn(schema);
  const writes = new Map<string, Statement<{ moved_to: number }>>();
  const numbers = new Map<Projection, number>();

  /** One for each set of copies that has ever been written together. */
  function statementFor(
    projections: readonly Projection[],
    conflictPolicy: ConflictPolicy,
  ): Statement<{ moved_to: number }> {
    for (const projection of projections)
      if (!numbers.has(projection)) numbers.set(projection, numbers.size);
    const key = [conflictPolicy, ...projections.map((projection) => numbers.get(projection))].join(
      '_',
    );
    const write =
      writes.get(key) ??
      statement<{ moved_to: number }>(
        `copies_write_${key}`,
        writeSql(schema, projections, conflictPolicy),
      );
    writes.set(key, write);
    return write;
  }

  return {
    async readCheckpoint(db: Db): Promise<CheckpointRow> {
      const [row] = await db.query(statements.read);
      if (row) return row;
      await db.query(statements.start);
      return { seq: 0, incarnation: '', anchor: '', shape: resyncRequested };
    },
    /**
     * Moves the position, and writes what belongs to that in the same commit. Locks: the position, then the copies' rows, in
     * the order of their ids. Errors: `Fenced`, with nothing written, unless the position is still `from`.
     */
    async advance(
      db: Db,
      from: CheckpointRow,
      to: CheckpointRow,
      { deadLetters, projections, conflictPolicy }: WriteSet = emptyWriteSet,
    ): Promise<void> {
      const write = statementFor(
        projections.map(({ projection }) => projection),
        conflictPolicy,
      );
      const [row] = await db.query(write, [
        to.seq,
        to.incarnation,
        to.anchor,
        to.shape,
        from.seq,
        from.incarnation,
        from.shape,
        deadLetters.map(({ seq }) => seq),
        deadLetters.map(({ index }) => index),
        deadLetters.map(({ body }) => body.replaceAll('\0', '')),
        deadLetters.map(({ error }) => error.slice(0, 2000).replaceAll('\0', '')),
        ...projections.map(({ projection, snapshots }) => projection.toJsonRows(snapshots)),
      ]);
      if (!row) throw new CheckpointConflict('the position has been moved by another process');
    },
    /** Whoever leads finds itself fenced, now or at its next look, and makes the copies anew. */
    requestResync: async (db: Db): Promise<void> => void (await db.query(statements.requestResync)),
    async countDeadLetters(db: Db): Promise<number> {
      const [row] = await db.query(statements.countDeadLetters);
      return row?.count ?? 0;
    },
  };
}

export type ProjectionQueries = ReturnType<typeof createProjectionQueries>;
