import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { streamName } from '@event-api/contracts/messages/snapshot';
import type { Database } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { Bus } from '@event-api/platform/messaging/bus/connect';
import { openConsumer } from '@event-api/platform/messaging/bus/consumer';
import { decodeMessages, hashOf } from '@event-api/platform/messaging/projections/decode';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { createProjectionQueries } from '@event-api/platform/messaging/projections/projections.queries';
import { writeBatch } from '@event-api/platform/messaging/projections/write-batch';
import { defineEntity, p } from '@mikro-orm/core';

const schema = 'pg_temp';

const tables = [
  `create temp table bench_projection (id text primary key, business_unit_id text, event_id text,
     version bigint not null, perk_ids text[])`,
  `create temp table projection_checkpoint (name text primary key, seq bigint, stream_created_at text,
     last_message_hash text, schema_fingerprint text, origins jsonb)`,
  `create temp table dead_letter (stream_created_at text, seq bigint, index int, body text, error text,
     primary key (stream_created_at, seq, index))`,
];

const projection = defineProjection({
  type: addonSnapshot,
  schema,
  entity: defineEntity({
    name: 'BenchProjection',
    tableName: 'bench_projection',
    properties: {
      id: p.text().primary(),
      businessUnitId: p.text(),
      eventId: p.text(),
      version: p.bigint('number'),
      perkIds: p.array().columnType('text[]'),
    },
  }),
});

/**
 * Reads the whole stream into a projection of its own, as a service without a checkpoint does. `db`
 * has one connection.
 */
export async function rebuild(
  db: Database,
  bus: Bus,
): Promise<{ messages: number; snapshots: number; messagesPerSecond: number }> {
  const { stream } = bus;
  if (!stream) throw new Error('the bus is not connected');
  for (const [index, text] of tables.entries())
    await db.query(statement(`bench_table_${index}`, text));
  const queries = createProjectionQueries(schema);
  const { state } = await stream.manager.streams.info(streamName);
  const begun = performance.now();
  let at = await queries.readCheckpoint(db);
  let snapshots = 0;
  const reader = await openConsumer(stream, state.first_seq);
  while (at.seq < state.last_seq) {
    const batch = await reader.next(500);
    const last = batch.at(-1);
    if (!last) continue;
    for (const { data } of batch) snapshots += (JSON.parse(data) as unknown[]).length;
    const to = { ...at, seq: last.seq, lastMessageHash: hashOf(last.data) };
    const step = decodeMessages(batch, [projection]);
    await writeBatch(
      { db, queries, projections: [projection] },
      { ...step, from: at, to, conflictPolicy: 'newest' },
    );
    at = to;
  }
  const seconds = (performance.now() - begun) / 1000;
  await reader.close();
  const messages = state.last_seq - state.first_seq + 1;
  return { messages, snapshots, messagesPerSecond: messages / seconds };
}
