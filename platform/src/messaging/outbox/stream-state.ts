import { randomUUID } from 'node:crypto';
import { columnsOf, type RowOf } from '../../db/columns.ts';
import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { OutboxRow } from './emit.ts';
import type { StreamStateRow } from './rewind.ts';
import { StreamState } from './stream-state.entity.ts';

const rowName = 'own';

const columns = columnsOf(StreamState, 's', { omit: ['name'] });

function statementsOn(schema: string) {
  const table = `${schema}.stream_state`;
  const outbox = `${schema}.outbox_message`;
  return {
    read: statement<RowOf<typeof columns>>(
      'stream_state_read',
      `select ${columns.sql} from ${table} s where s.name = '${rowName}'`,
    ),
    start: statement(
      'stream_state_start',
      `insert into ${table} (name, lineage, incarnation, confirmed_seq)
       values ('${rowName}', $1, '', 0) on conflict do nothing`,
    ),
    follow: statement<RowOf<typeof columns>>(
      'stream_state_follow',
      `update ${table} s set incarnation = $1, confirmed_seq = $2
       where lineage = $3 and incarnation = $4 and confirmed_seq = $5 returning ${columns.sql}`,
    ),
    confirm: statement<RowOf<typeof columns>>(
      'stream_state_confirm',
      `update ${table} s set confirmed_seq = greatest(confirmed_seq, $1)
       where lineage = $2 and incarnation = $3 returning ${columns.sql}`,
    ),
    renew: statement<OutboxRow>(
      'stream_state_renew',
      `with renewed as (
         update ${table} set lineage = $1, previous_lineage = lineage, incarnation = $2, confirmed_seq = $3
         where lineage = $4 returning name
       ) insert into ${outbox} (id, payload) select $5::uuid, $6 from renewed returning id, payload, traceparent`,
    ),
    missing: statement<{ id: string }>(
      'outbox_missing',
      `select id from unnest($1::uuid[]) x(id)
       where not exists (select 1 from ${outbox} o where o.id = x.id)`,
    ),
  };
}

/** The statements on the stream state of a service. */
export function createStreamStateQueries(schema: string) {
  const statements = statementsOn(schema);
  return {
    async read(db: Db): Promise<StreamStateRow> {
      const [row] = await db.query(statements.read);
      if (row) return row;
      await db.query(statements.start, [randomUUID()]);
      const [started] = await db.query(statements.read);
      if (!started) throw new Error('the stream state has no row');
      return started;
    },
    /**
     * Counts from here on in another stream. Returns null if another process has changed the state.
     */
    async follow(
      db: Db,
      from: StreamStateRow,
      to: Pick<StreamStateRow, 'incarnation' | 'confirmedSeq'>,
    ): Promise<StreamStateRow | null> {
      const [row] = await db.query(statements.follow, [
        to.incarnation,
        to.confirmedSeq,
        from.lineage,
        from.incarnation,
        from.confirmedSeq,
      ]);
      return row ?? null;
    },
    /**
     * Raises the confirmed sequence. Returns null if another process has changed the lineage or the
     * stream.
     */
    async confirm(
      db: Db,
      { lineage, incarnation }: StreamStateRow,
      confirmedSeq: number,
    ): Promise<StreamStateRow | null> {
      const [row] = await db.query(statements.confirm, [confirmedSeq, lineage, incarnation]);
      return row ?? null;
    },
    /**
     * Replaces the lineage and writes the marker to the outbox, in one commit. Returns the marker,
     * or null if another process was faster.
     */
    async renew(
      db: Db,
      from: StreamStateRow,
      to: StreamStateRow,
      payload: string,
    ): Promise<OutboxRow | null> {
      const [marker] = await db.query(statements.renew, [
        to.lineage,
        to.incarnation,
        to.confirmedSeq,
        from.lineage,
        randomUUID(),
        payload,
      ]);
      return marker ?? null;
    },
    /** Those of these outbox rows that the database does not have. */
    async findMissing(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set();
      return new Set((await db.query(statements.missing, [ids])).map(({ id }) => id));
    },
  };
}

export type StreamStateQueries = ReturnType<typeof createStreamStateQueries>;
