import type { Origin } from '@event-api/contracts/messages/snapshot';
import type { Logger } from '../../core/log.ts';
import { streamTimeouts } from '../../core/timeouts.ts';
import type { Database } from '../../db/database.ts';
import type { SpanRecorder } from '../../telemetry/spans.ts';
import type { StreamConnection } from '../bus/connect.ts';
import type { OutboxRow } from './emit.ts';
import type { PublishedRow } from './group-publisher.ts';
import type { OutboxQueries } from './outbox.queries.ts';
import { isRejected, publishRows, rowsPerMessage } from './publish.ts';
import type { MarkResult, StreamStateRow } from './rewind.ts';

/**
 * Publishes rows that requests could not publish. The rows stay locked meanwhile, so that replicas
 * share the work. A rejected row is set aside with an alarm and does not stop other rows. Rows
 * younger than `minAgeMs` are still being published by their request. Returns the published rows
 * and what marking them has found out.
 * Errors: when the bus or the database is unavailable; nothing is
 * lost then.
 */
export async function relayOnce(options: {
  db: Database;
  stream: StreamConnection;
  origin: Origin;
  queries: OutboxQueries;
  /** The verified state, whose lineage the messages carry. */
  verified: StreamStateRow;
  spans: SpanRecorder | null;
  log: Logger;
  minAgeMs: number;
}): Promise<{ published: PublishedRow[]; marked: MarkResult | null }> {
  const { db, queries } = options;
  return db.transaction(async (tx) => {
    const rows = await queries.findUnpublished(tx, options.minAgeMs);
    const acknowledged: PublishedRow[] = [];
    for (let rest = rows; rest.length > 0; ) {
      const count = rowsPerMessage(rest);
      for (const { row, sequence, rejection } of await send(rest.slice(0, count), options)) {
        if (rejection !== null) await queries.reject(tx, row.id, rejection);
        else acknowledged.push({ row, sequence, lineage: options.verified.lineage });
      }
      rest = rest.slice(count);
    }
    if (acknowledged.length === 0) return { published: acknowledged, marked: null };
    const marked = await queries.markPublished(tx, acknowledged, options.verified);
    return { published: acknowledged, marked };
  });
}

interface PublishResult {
  row: OutboxRow;
  sequence: number;
  rejection: string | null;
}

async function send(
  rows: OutboxRow[],
  options: Pick<
    Parameters<typeof relayOnce>[0],
    'stream' | 'origin' | 'verified' | 'spans' | 'log'
  >,
): Promise<PublishResult[]> {
  const { stream, origin, verified, spans, log } = options;
  try {
    const sequence = await publishRows(rows, {
      stream,
      origin,
      lineages: verified,
      spans,
      timeoutMs: streamTimeouts.relayPublishMs,
    });
    return rows.map((row) => ({ row, sequence, rejection: null }));
  } catch (error) {
    if (!isRejected(error)) throw error;
    const [row] = rows;
    if (rows.length > 1 || !row) {
      const half = Math.ceil(rows.length / 2);
      return [
        ...(await send(rows.slice(0, half), options)),
        ...(await send(rows.slice(half), options)),
      ];
    }
    log.error(
      { err: error, alarm: 'message_rejected', outboxId: row.id },
      'the bus refuses a message',
    );
    return [{ row, sequence: 0, rejection: error instanceof Error ? error.message : 'rejected' }];
  }
}
