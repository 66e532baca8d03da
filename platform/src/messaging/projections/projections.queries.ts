import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import type { Db } from '../../db/database.ts';
import { type Statement, statement, unflushedSql } from '../../db/statement.ts';
import {
  type CheckpointRow,
  checkpointName,
  readCheckpoint,
  resyncRequested,
} from './checkpoint.ts';
import type { DeadLetterInput } from './decode.ts';
import type { ConflictPolicy, Projection } from './projection.ts';

/** Another process has advanced the checkpoint: the planned write is outdated. */
export class CheckpointConflict extends Error {}

function statementsOn(schema: string) {
  const table = `${schema}.projection_checkpoint`;
  return {
    read: readCheckpoint(schema),
    start: statement(
      'checkpoint_start',
      `insert into ${table} (name, seq, stream_created_at, last_message_hash, schema_fingerprint)
       values ('${checkpointName}', 0, '', '', '${resyncRequested}') on conflict do nothing`,
    ),
    requestResync: statement(
      'checkpoint_request_resync',
      `update ${table} set schema_fingerprint = '${resyncRequested}'
       where name = '${checkpointName}'`,
    ),
    countDeadLetters: statement<{ count: number }>(
      'dead_letter_count',
      `select count(*)::int as count from ${schema}.dead_letter`,
    ),
  };
}

/**
 * Advances the checkpoint and, if it had the expected value, writes dead letters and projections:
 * all in one statement, and so in one commit. The commit does not wait for the disk: a loss sets
 * the projections and the checkpoint back together, and the messages are read again.
 */
function writeSql(
  schema: string,
  projections: readonly Projection[],
  conflictPolicy: ConflictPolicy,
): string {
  const parts = projections.map(
    (projection, n) =>
      `, projection_${n} as (${projection.conditionalUpsertSql('advanced', firstRowsParameter + n, conflictPolicy)})`,
  );
  return `with ${unflushedSql}, advanced as (
      update ${schema}.projection_checkpoint set seq = $1, stream_created_at = $2,
        last_message_hash = $3, schema_fingerprint = $4, origins = $5
      from unflushed where name = '${checkpointName}' and seq = $6 and stream_created_at = $7 and schema_fingerprint = $8
      returning seq),
    dead_lettered as (insert into ${schema}.dead_letter (stream_created_at, seq, index, body, error)
      select $2, b.* from unnest($9::bigint[], $10::int[], $11::text[], $12::text[]) b, advanced
      on conflict do nothing)
    ${parts.join('')}
    select seq from advanced`;
}
const firstRowsParameter = 13;

/** The data that is written when the checkpoint advances. */
export interface WriteSet {
  deadLetters: readonly DeadLetterInput[];
  projections: readonly { projection: Projection; snapshots: readonly Snapshot[] }[];
  conflictPolicy: ConflictPolicy;
}

const emptyWriteSet: WriteSet = { deadLetters: [], projections: [], conflictPolicy: 'newest' };

/** The statements on the checkpoint and the dead letters of a service. */
export function createProjectionQueries(schema: string) {
  const statements = statementsOn(schema);
  const writes = new Map<string, Statement<{ seq: number }>>();
  const numbers = new Map<Projection, number>();

  /** One statement per set of projections that are written together. */
  function statementFor(
    projections: readonly Projection[],
    conflictPolicy: ConflictPolicy,
  ): Statement<{ seq: number }> {
    for (const projection of projections)
      if (!numbers.has(projection)) numbers.set(projection, numbers.size);
    const key = [conflictPolicy, ...projections.map((projection) => numbers.get(projection))].join(
      '_',
    );
    const write =
      writes.get(key) ??
      statement<{ seq: number }>(
        `projections_write_${key}`,
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
      return {
        seq: 0,
        streamCreatedAt: '',
        lastMessageHash: '',
        schemaFingerprint: resyncRequested,
        origins: {},
      };
    },
    /**
     * Advances the checkpoint and writes the data in the same commit. Locks: the checkpoint, then
     * the rows of the projections in the order of their ids. Errors: `CheckpointConflict`, with
     * nothing written, unless the checkpoint is still `from`.
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
        to.streamCreatedAt,
        to.lastMessageHash,
        to.schemaFingerprint,
        JSON.stringify(to.origins),
        from.seq,
        from.streamCreatedAt,
        from.schemaFingerprint,
        deadLetters.map(({ seq }) => seq),
        deadLetters.map(({ index }) => index),
        deadLetters.map(({ body }) => body.replaceAll('\0', '')),
        deadLetters.map(({ error }) => error.slice(0, 2000).replaceAll('\0', '')),
        ...projections.map(({ projection, snapshots }) => projection.toJsonRows(snapshots)),
      ]);
      if (!row) throw new CheckpointConflict('another process has advanced the checkpoint');
    },
    /** The leader detects the change at its next write or check, and starts a resync. */
    requestResync: async (db: Db): Promise<void> => void (await db.query(statements.requestResync)),
    async countDeadLetters(db: Db): Promise<number> {
      const [row] = await db.query(statements.countDeadLetters);
      return row?.count ?? 0;
    },
  };
}

export type ProjectionQueries = ReturnType<typeof createProjectionQueries>;
