import { randomUUID } from 'node:crypto';
import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import type { Tx } from '../../db/database.ts';
import { statementOfSchema } from '../../db/statement.ts';
import { sampledTraceparent } from '../../telemetry/trace-scope.ts';

// The bus rejects messages above 1 MiB. Several payloads of this size fit into one.
const maxSnapshots = 128;
const maxBytes = 200_000;

/** A row of the outbox: a message that awaits its acknowledgement. */
export interface OutboxRow {
  id: string;
  payload: string;
  /** The trace of the work that wrote it, if that is recorded. */
  traceparent: string | null;
}

/**
 * Sends the insert of snapshots into the outbox with `tx`; they are published after the commit.
 * Snapshots must be built from what the change itself returned, never from an earlier read.
 */
export function emit(tx: Tx, snapshots: readonly Snapshot[]): void {
  if (snapshots.length === 0) return;
  const traceparent = sampledTraceparent();
  const rows = splitIntoPayloads(snapshots).map((payload) => ({
    id: randomUUID(),
    payload,
    traceparent,
  }));
  const ids = rows.map(({ id }) => id);
  tx.send(insertInto(tx.schema), [ids, rows.map(({ payload }) => payload), traceparent], () =>
    tx.afterCommit.push(...rows),
  );
}

const insertInto = statementOfSchema(
  'outbox_insert',
  (schema) =>
    `insert into ${schema}.outbox_message (id, payload, traceparent)
     select id, payload, $3::text from unnest($1::uuid[], $2::text[]) x(id, payload)`,
);

/** Splits snapshots into as few payloads as the limits allow. */
export function splitIntoPayloads(snapshots: readonly Snapshot[]): string[] {
  const payloads: string[] = [];
  let parts: string[] = [];
  let bytes = 0;
  const close = () => {
    if (parts.length > 0) payloads.push(`[${parts.join(',')}]`);
    parts = [];
    bytes = 0;
  };
  for (const snapshot of snapshots) {
    const part = JSON.stringify(snapshot);
    const size = Buffer.byteLength(part);
    if (parts.length === maxSnapshots || bytes + size > maxBytes) close();
    parts.push(part);
    bytes += size;
  }
  close();
  return payloads;
}
