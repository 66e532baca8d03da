import type { Origin } from '@event-api/contracts/messages/snapshot';
import type { Bus } from '../bus/connect.ts';
import type { ReadAfter } from '../read-after/token.ts';
import type { SpanRecorder } from '../telemetry/spans.ts';
import type { OutboxRow } from './emit.ts';
import { isRefusal, maxRows, rowsOfOneMessage } from './group.ts';
import { publishRows } from './publish.ts';

export interface Acknowledged {
  row: OutboxRow;
  sequence: number;
}

export interface GroupFlush {
  /**
   * Publishes rows and answers the position of the last, or null when the bus has not acknowledged
   * them in time: the relay publishes them later. Never fails.
   */
  publish(rows: readonly OutboxRow[]): Promise<ReadAfter | null>;
  /** Whether requests publish for themselves. Not after a failure, until the relay has found the bus well. */
  readonly isOpen: boolean;
  reopen(): void;
}

interface Waiting {
  row: OutboxRow;
  settle: (token: ReadAfter | null) => void;
}

/**
 * One publish is under way at a time; what commits meanwhile goes with the next. Idle, a row goes
 * out at once; under load one message carries many rows.
 */
export function createGroupFlush(options: {
  bus: Bus;
  origin: Origin;
  spans: SpanRecorder | null;
  /** How long a request waits for the bus before it answers without a token. */
  budgetMs: number;
  onAcknowledged: (acknowledged: Acknowledged[]) => void;
  onFailure: () => void;
}): GroupFlush {
  const { bus, origin, spans, budgetMs } = options;
  let queue: Waiting[] = [];
  let publishing = false;
  let broken = false;

  async function drain(): Promise<void> {
    publishing = true;
    while (queue.length > 0) {
      const next = queue.slice(0, maxRows).map(({ row }) => row);
      const batch = queue.splice(0, rowsOfOneMessage(next));
      const token = await send(batch.map(({ row }) => row));
      for (const { settle } of batch) settle(token);
      if (!broken && bus.stream) continue;
      for (const { settle } of queue) settle(null);
      queue = [];
    }
    publishing = false;
  }

  async function send(rows: OutboxRow[]): Promise<ReadAfter | null> {
    const { stream } = bus;
    if (!stream || broken) return null;
    try {
      const seq = await publishRows(rows, { stream, origin, spans, timeoutMs: budgetMs });
      options.onAcknowledged(rows.map((row) => ({ row, sequence: seq })));
      return { incarnation: stream.incarnation, positions: { [origin]: seq } };
    } catch (error) {
      // A message that is too large says nothing about the bus.
      if (!isRefusal(error)) broken = true;
      options.onFailure();
      return null;
    }
  }

  return {
    get isOpen() {
      return bus.stream !== null && !broken;
    },
    reopen() {
      broken = false;
    },
    async publish(rows) {
      if (rows.length === 0) return null;
      if (broken || !bus.stream) {
        options.onFailure();
        return null;
      }
      const settled = rows.map(
        (row) => new Promise<ReadAfter | null>((settle) => void queue.push({ row, settle })),
      );
      if (!publishing) void drain();
      return withinBudget(
        Promise.all(settled).then((tokens) =>
          tokens.includes(null) ? null : (tokens.at(-1) ?? null),
        ),
        budgetMs,
      );
    },
  };
}

async function withinBudget(
  answer: Promise<ReadAfter | null>,
  budgetMs: number,
): Promise<ReadAfter | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, budgetMs, null);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
