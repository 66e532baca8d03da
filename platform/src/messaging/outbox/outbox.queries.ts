import { Snapshot, streamName } from '@event-api/contracts/messages/snapshot';
import { streamTimeouts } from '../../core/timeouts.ts';
import type { Db } from '../../db/database.ts';
import { statement, unflushedSql } from '../../db/statement.ts';
import type { StreamConnection } from '../bus/connect.ts';
import type { OutboxRow } from './emit.ts';
import type { PublishedRow } from './group-publisher.ts';
import type { MarkResult, StreamStateRow } from './rewind.ts';

/** The number of rows that wait for the bus, and of rejected rows that need an operator. */
export interface OutboxState {
  unpublished: number;
  oldestSeconds: number;
  rejected: number;
}

const partRows = 10_000;

function statementsOn(schema: string) {
  const table = `${schema}.outbox_message`;
  return {
    // The confirmed sequence is raised only if all rows exist and it is not lower than this process
    // has seen it: otherwise the database may have been put back, and the messages in between are
    // not confirmed. The commit does not wait for the disk: rows whose mark is lost are published
    // again.
    mark: statement<MarkResult>(
      'outbox_mark',
      `with ${unflushedSql}, marked as (
         update ${table} o set stream_seq = x.seq
         from unflushed, unnest($1::uuid[], $2::bigint[]) x(id, seq) where o.id = x.id returning o.id
       ), counted as (select count(*)::int as marked from marked
       ), raised as (
         update ${schema}.stream_state s set confirmed_seq = greatest(s.confirmed_seq, $3) from counted
         where s.lineage = $4 and s.incarnation = $5 and s.confirmed_seq >= $6 and counted.marked = $7
         returning s.confirmed_seq
       ) select marked, (select confirmed_seq from raised) as "confirmedSeq" from counted`,
    ),
    // Rows commit in any order, so pending rows are found by state and never by position. Younger
    // rows are still being published by their request; locked rows belong to another replica.
    unpublished: statement<OutboxRow>(
      'outbox_unpublished',
      `select id, payload, traceparent from ${table}
       where stream_seq is null and rejection_reason is null
         and created_at < clock_timestamp() - $1::int * interval '1 ms'
       order by created_at limit 500 for update skip locked`,
    ),
    anyUnpublished: statement<{ found: boolean }>(
      'outbox_any_unpublished',
      `select exists (select 1 from ${table} where stream_seq is null and rejection_reason is null) as found`,
    ),
    reject: statement('outbox_reject', `update ${table} set rejection_reason = $2 where id = $1`),
    // Requeued rows are not older, so older ones need no check. Ordered by sequence, because a
    // stream that has lost its end has lost the last message first.
    lastPublished: statement<{ payload: string; sequence: number }>(
      'outbox_last_published',
      `select payload, stream_seq as sequence from ${table}
       where stream_seq is not null and created_at > clock_timestamp() - interval '${streamTimeouts.requeueAgeMs} ms'
       order by stream_seq desc limit 1`,
    ),
    // In batches, newest first: a single update could exceed the statement time-out.
    requeue: statement<{ count: number; oldest: string | null }>(
      'outbox_requeue',
      `with part as (
         select id, created_at from ${table}
         where stream_seq is not null and created_at > clock_timestamp() - interval '${streamTimeouts.requeueAgeMs} ms'
           and created_at <= coalesce($1::timestamptz, 'infinity')
         order by created_at desc limit ${partRows}
       ), requeued as (
         update ${table} o set stream_seq = null from part where o.id = part.id
       ) select count(*)::int as count, min(created_at)::text as oldest from part`,
    ),
    deletePublished: statement<{ count: number }>(
      'outbox_delete_published',
      `with deleted as (
         delete from ${table} where id = any(array(
           select id from ${table}
           where stream_seq is not null and created_at < clock_timestamp() - interval '${streamTimeouts.publishedRetentionMs} ms'
           order by created_at limit ${partRows}
         )) returning id
       ) select count(*)::int as count from deleted`,
    ),
    state: statement<OutboxState>(
      'outbox_state',
      `select count(*) filter (where rejection_reason is null)::int as unpublished,
         count(*) filter (where rejection_reason is not null)::int as rejected,
         coalesce(extract(epoch from clock_timestamp() - min(created_at)
           filter (where rejection_reason is null)), 0)::float8 as "oldestSeconds"
       from ${table} where stream_seq is null`,
    ),
  };
}

/** The statements on the outbox of a service. */
export function createOutboxQueries(schema: string) {
  const statements = statementsOn(schema);
  return {
    /**
     * Marks rows as published and raises the confirmed sequence of the `verified` state. Locks: the
     * rows in the order of their ids, then the stream state.
     */
    async markPublished(
      db: Db,
      published: readonly PublishedRow[],
      verified: StreamStateRow | null,
    ): Promise<MarkResult> {
      // Always in the same order, so that two updates cannot deadlock.
      const sorted = [...published].sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
      const [result] = await db.query(statements.mark, [
        sorted.map(({ row }) => row.id),
        sorted.map(({ sequence }) => sequence),
        Math.max(0, ...sorted.map(({ sequence }) => sequence)),
        verified?.lineage ?? null,
        verified?.incarnation ?? null,
        verified?.confirmedSeq ?? null,
        sorted.length,
      ]);
      return result ?? { marked: 0, confirmedSeq: null };
    },
    findUnpublished: (db: Db, minAgeMs: number): Promise<OutboxRow[]> =>
      db.query(statements.unpublished, [minAgeMs]),
    async hasUnpublished(db: Db): Promise<boolean> {
      const [row] = await db.query(statements.anyUnpublished);
      return row?.found ?? false;
    },
    reject: async (db: Db, id: string, reason: string): Promise<void> =>
      void (await db.query(statements.reject, [id, reason])),
    /** Requeues the rows of the last ten minutes and returns their number. */
    async requeueRecent(db: Db): Promise<number> {
      let requeued = 0;
      for (let upTo: string | null = null; ; ) {
        const [part]: { count: number; oldest: string | null }[] = await db.query(
          statements.requeue,
          [upTo],
        );
        requeued += part?.count ?? 0;
        if (!part || part.count < partRows) return requeued;
        upTo = part.oldest;
      }
    },
    async deletePublished(db: Db): Promise<void> {
      for (let deleted = partRows; deleted === partRows; ) {
        const [row] = await db.query(statements.deletePublished);
        deleted = row?.count ?? 0;
      }
    },
    async readState(db: Db): Promise<OutboxState> {
      const [row] = await db.query(statements.state);
      return row ?? { unpublished: 0, oldestSeconds: 0, rejected: 0 };
    },
    /**
     * Whether the stream has lost the last message that it acknowledged. The database stores which
     * one that was, so that a process started later also notices.
     */
    async hasStreamLostMessages(db: Db, { manager }: StreamConnection): Promise<boolean> {
      const [last] = await db.query(statements.lastPublished);
      if (!last) return false;
      const stored = await manager.streams.getMessage(streamName, { seq: last.sequence });
      const [first] = JSON.parse(last.payload) as unknown[];
      return !stored?.string().includes(Snapshot.parse(first).id);
    },
  };
}

export type OutboxQueries = ReturnType<typeof createOutboxQueries>;
