import { Snapshot, streamName } from '@event-api/contracts/messages/snapshot';
import type { Stream } from '../bus/connect.ts';
import type { Db } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { OutboxRow } from './emit.ts';
import type { Acknowledged } from './flush.ts';

/** A service's statements on its own outbox. */
export function createOutboxQueries(schema: string) {
  const table = `${schema}.outbox_message`;

  const mark = statement(
    'outbox_mark',
    `update ${table} o set stream_seq = x.seq
     from unnest($1::uuid[], $2::bigint[]) x(id, seq) where o.id = x.id`,
  );

  // Rows come in any order of commit, so what is missing is looked for by state and never by "after
  // the last one". Younger ones are still on their own way; locked ones are another replica's.
  const unpublished = statement<OutboxRow>(
    'outbox_unpublished',
    `select id, payload from ${table}
     where stream_seq is null and refused is null
       and created_at < clock_timestamp() - interval '1 s'
     order by created_at limit 500 for update skip locked`,
  );

  const anyUnpublished = statement<{ found: boolean }>(
    'outbox_any_unpublished',
    `select exists (select 1 from ${table} where stream_seq is null and refused is null) as found`,
  );

  const refuse = statement('outbox_refuse', `update ${table} set refused = $2 where id = $1`);

  const again = statement<{ count: number }>(
    'outbox_again',
    `with sent as (
       update ${table} set stream_seq = null
       where stream_seq is not null and created_at > clock_timestamp() - interval '10 min' returning 1
     ) select count(*)::int as count from sent`,
  );

  const pruneOld = statement(
    'outbox_prune',
    `delete from ${table} where id in (
       select id from ${table}
       where stream_seq is not null and created_at < clock_timestamp() - interval '1 day' limit 10000
     )`,
  );

  const firstSnapshotOf = statement<{ payload: string }>(
    'outbox_payload',
    `select payload from ${table} where id = $1`,
  );

  return {
    async markPublished(db: Db, acknowledged: readonly Acknowledged[]): Promise<void> {
      if (acknowledged.length === 0) return;
      // In one order everywhere, so that two updates cannot wait for each other.
      const sorted = [...acknowledged].sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
      await db.query(mark, [
        sorted.map(({ row }) => row.id),
        sorted.map(({ sequence }) => sequence),
      ]);
    },
    findUnpublished: (db: Db): Promise<OutboxRow[]> => db.query(unpublished),
    async isAnythingLeft(db: Db): Promise<boolean> {
      const [row] = await db.query(anyUnpublished);
      return row?.found ?? false;
    },
    refuse: async (db: Db, id: string, reason: string): Promise<void> =>
      void (await db.query(refuse, [id, reason])),
    async sendRecentAgain(db: Db): Promise<number> {
      const [row] = await db.query(again);
      return row?.count ?? 0;
    },
    prune: async (db: Db): Promise<void> => void (await db.query(pruneOld)),
    /** Whether the stream still holds, at this place, the message that carried this row. */
    async isStillThere(
      db: Db,
      { manager }: Stream,
      id: string,
      sequence: number,
    ): Promise<boolean> {
      const [row] = await db.query(firstSnapshotOf, [id]);
      const stored = await manager.streams
        .getMessage(streamName, { seq: sequence })
        .catch(() => null);
      if (!row || !stored) return false;
      const [first] = JSON.parse(row.payload) as unknown[];
      return stored.string().includes(Snapshot.parse(first).id);
    },
  };
}

export type OutboxQueries = ReturnType<typeof createOutboxQueries>;
