import type { Origin } from '@event-api/contracts/messages/snapshot';
import { withTimeout } from '../../core/deadline.ts';
import type { SpanRecorder } from '../../telemetry/spans.ts';
import type { Bus } from '../bus/connect.ts';
import type { ReadAfterToken } from '../read-after/token.ts';
import type { OutboxRow } from './emit.ts';
import { isRejected, maxRows, publishRows, rowsPerMessage } from './publish.ts';
import type { Lineages } from './rewind.ts';

export interface PublishedRow {
  row: OutboxRow;
  sequence: number;
  /** The lineage that its message carries. */
  lineage: string;
}

export interface GroupPublisher {
  /**
   * Publishes rows and returns the token of the last one, or null if the bus has not acknowledged
   * them in time: the relay publishes them later. Never fails.
   */
  publish(rows: readonly OutboxRow[]): Promise<ReadAfterToken | null>;
  /**
   * Whether requests publish directly. After a failure they do not, until the relay has reached the
   * bus.
   */
  readonly isAvailable: boolean;
  resume(): void;
}

interface PendingRow {
  row: OutboxRow;
  resolve: (token: ReadAfterToken | null) => void;
}

/**
 * One publish runs at a time; rows that commit meanwhile form the next one. When idle, a row is
 * published immediately; under load one message carries many rows.
 */
export function createGroupPublisher(options: {
  bus: Bus;
  origin: Origin;
  /**
   * The lineages that the messages carry. Null while they are unverified: then nothing is
   * published.
   */
  lineages: () => Lineages | null;
  spans: SpanRecorder | null;
  /** How long a request waits for the bus before it responds without a token. */
  timeoutMs: number;
  onAck: (published: PublishedRow[]) => void;
  onFailure: () => void;
}): GroupPublisher {
  const { bus, origin, spans, timeoutMs } = options;
  let queue: PendingRow[] = [];
  let publishing = false;
  let paused = false;

  async function drain(): Promise<void> {
    publishing = true;
    while (queue.length > 0) {
      const next = queue.slice(0, maxRows).map(({ row }) => row);
      const batch = queue.splice(0, rowsPerMessage(next));
      const token = await send(batch.map(({ row }) => row));
      for (const { resolve } of batch) resolve(token);
      if (!paused && bus.stream) continue;
      for (const { resolve } of queue) resolve(null);
      queue = [];
    }
    publishing = false;
  }

  async function send(rows: OutboxRow[]): Promise<ReadAfterToken | null> {
    const { stream } = bus;
    const lineages = options.lineages();
    if (!stream || paused || lineages === null) {
      options.onFailure();
      return null;
    }
    try {
      const seq = await publishRows(rows, { stream, origin, lineages, spans, timeoutMs });
      const { lineage } = lineages;
      options.onAck(rows.map((row) => ({ row, sequence: seq, lineage })));
      return { streamCreatedAt: stream.streamCreatedAt, sequences: { [origin]: seq } };
    } catch (error) {
      // A message that is too large does not mean that the bus is unavailable.
      if (!isRejected(error)) paused = true;
      options.onFailure();
      return null;
    }
  }

  return {
    get isAvailable() {
      return bus.stream !== null && !paused;
    },
    resume() {
      paused = false;
    },
    async publish(rows) {
      if (rows.length === 0) return null;
      if (paused || !bus.stream) {
        options.onFailure();
        return null;
      }
      const results = rows.map(
        (row) => new Promise<ReadAfterToken | null>((resolve) => void queue.push({ row, resolve })),
      );
      if (!publishing) void drain();
      const published = await withTimeout(Promise.all(results), timeoutMs);
      if (published.outcome === 'late' || published.value.includes(null)) return null;
      return published.value.at(-1) ?? null;
    },
  };
}
