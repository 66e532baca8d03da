import { randomUUID } from 'node:crypto';
import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import type { Tx } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { sampledTraceparent } from '../../telemetry/trace-scope.ts';

// The bus refuses a message above 1 MiB; several of these still fit into one.
const maxSnapshots = 128;
const maxBytes = 200_000;

/** A message that waits for its acknowledgement. */
export interface OutboxRow {
  id: string;
  payload: string;
  /** Of the work that has caused it, where that is recorded. */
  traceparent: string | null;
}

const inserts = new Map<string, Statement<never>>();

/**
 * Promises these snapshots to the bus: they are written with `tx` and published once it commits.
 * Snapshots must be built from what the change itself returned, never from an earlier read.
 */
export async function emit(tx: Tx, snapshots: readonly Snapshot[]): Promise<void> {
  if (snapshots.length === 0) return;
  const traceparent = sampledTraceparent();
  const rows = splitIntoPayloads(snapshots).map((payload) => ({
    id: randomUUID(),
    payload,
    traceparent,
  }));
  await tx.query(insertInto(tx.schema), [
    rows.map(({ id }) => id),
    rows.map(({ payload }) => payload),
    traceparent,
  ]);
  tx.afterCommit.push(...rows);
}

function insertInto(schema: string): Statement<never> {
  const cached = inserts.get(schema);
  if (cached) return cached;
  const created = statement(
    'outbox_insert',
    `insert into ${schema}.outbox_message (id, payload, traceparent)
     select id, payload, $3::text from unnest($1::uuid[], $2::text[]) x(id, payload)`,
  );
  inserts.set(schema, created);
  return created;
}

/** The payloads of as few messages as the limits allow. */
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
