import { type Origin, subjectOf } from '@event-api/contracts/messages/snapshot';
import type { Stream } from '../bus/connect.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../log.ts';
import type { OutboxRow } from './emit.ts';
import { joinPayloads } from './flush.ts';
import type { OutboxQueries } from './queries.ts';

const rowsPerMessage = 64;

/**
 * Publishes what requests could not. Its rows stay locked meanwhile, so that replicas share the work.
 * A row that the bus refuses is set aside with an alarm and stops no other.
 * Errors: when the bus or the database is away; nothing is lost then.
 */
export async function relayOnce(options: {
  db: Database;
  stream: Stream;
  origin: Origin;
  queries: OutboxQueries;
  log: Logger;
}): Promise<{ published: number; left: boolean }> {
  const { db, queries } = options;
  const published = await db.transaction(async (tx) => {
    const rows = await queries.findUnpublished(tx);
    const acknowledged = [];
    for (let i = 0; i < rows.length; i += rowsPerMessage) {
      const group = rows.slice(i, i + rowsPerMessage);
      for (const { row, sequence, refusal } of await send(group, options)) {
        if (refusal) await queries.refuse(tx, row.id, refusal);
        else acknowledged.push({ row, sequence });
      }
    }
    await queries.markPublished(tx, acknowledged);
    return acknowledged.length;
  });
  return { published, left: await queries.isAnythingLeft(db) };
}

interface Sent {
  row: OutboxRow;
  sequence: number;
  refusal: string | null;
}

async function send(
  rows: OutboxRow[],
  options: { stream: Stream; origin: Origin; log: Logger },
): Promise<Sent[]> {
  const { stream, origin, log } = options;
  try {
    const { seq } = await stream.js.publish(subjectOf(origin), joinPayloads(rows), {
      timeout: 2000,
    });
    return rows.map((row) => ({ row, sequence: seq, refusal: null }));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [row] = rows;
    if (rows.length > 1 || !row) {
      const half = Math.ceil(rows.length / 2);
      return [
        ...(await send(rows.slice(0, half), options)),
        ...(await send(rows.slice(half), options)),
      ];
    }
    log.error(
      { err: error, alarm: 'message_refused', outboxId: row.id },
      'the bus refuses a message',
    );
    return [{ row, sequence: 0, refusal: error instanceof Error ? error.message : 'refused' }];
  }
}

/** What a repeat would not cure: the message itself is at fault. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  /max[_ ]?payload|maximum payload|message size/i.test(`${error.name} ${error.message}`);
