import { type Origin, streamName, subjectFor } from '@event-api/contracts/messages/snapshot';
import { streamTimeouts } from '../../core/timeouts.ts';
import type { Db } from '../../db/database.ts';
import type { StreamConnection } from '../bus/connect.ts';
import { openConsumer, type StreamMessage } from '../bus/consumer.ts';
import type { MissingRows } from './rewind.ts';
import type { StreamStateQueries } from './stream-state.ts';

const pageMessages = 500;

/** The sequence of the last message of this origin, or 0. Errors: those of the bus. */
export async function lastSequence({ manager }: StreamConnection, origin: Origin): Promise<number> {
  const query = { last_by_subj: subjectFor(origin) };
  const last = await manager.streams.getMessage(streamName, query);
  return last?.seq ?? 0;
}

/**
 * The outbox rows of the messages of this origin after `after`, up to `upTo`, that the database
 * does not have. Errors: those of the bus and the database, and when the messages arrive too
 * slowly.
 */
export async function findMissingRows(options: {
  db: Db;
  stream: StreamConnection;
  origin: Origin;
  queries: StreamStateQueries;
  after: number;
  upTo: number;
}): Promise<MissingRows[]> {
  const { db, stream, origin, queries, after, upTo } = options;
  if (after >= upTo) return [];
  const deadline = performance.now() + streamTimeouts.lineageReadMs;
  const own = { subject: subjectFor(origin), headersOnly: true };
  const reader = await openConsumer(stream, after + 1, own);
  const found = new Map<string | null, MissingRows>();
  try {
    for (let seq = after; seq < upTo; ) {
      if (performance.now() > deadline) throw new Error('own messages arrive too slowly');
      const page = (await reader.next(pageMessages)).filter((message) => message.seq <= upTo);
      const missing = await queries.findMissing(
        db,
        page.flatMap(({ outboxIds }) => outboxIds),
      );
      for (const message of page) addMissing(found, message, missing);
      seq = page.at(-1)?.seq ?? seq;
    }
    return [...found.values()];
  } finally {
    await reader.close();
  }
}

function addMissing(
  found: Map<string | null, MissingRows>,
  { lineage, previousLineage, outboxIds }: StreamMessage,
  missing: ReadonlySet<string>,
): void {
  const rows = outboxIds.filter((id) => missing.has(id)).length;
  if (rows === 0) return;
  const before = found.get(lineage)?.rows ?? 0;
  found.set(lineage, { lineage, previousLineage, rows: before + rows });
}
