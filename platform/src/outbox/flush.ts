import { type Origin, subjectOf } from '@event-api/contracts/messages/snapshot';
import type { Bus } from '../bus/connect.ts';
import type { ReadAfter } from '../read-after/token.ts';
import type { OutboxRow } from './emit.ts';

const maxRows = 128;
const maxBytes = 256 * 1024;
/** How long a request waits for the bus before it answers without a token. */
const budgetMs = 250;

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
  /** Whether requests publish for themselves. Open after a failure until the relay has succeeded. */
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
  onAcknowledged: (acknowledged: Acknowledged[]) => void;
  onFailure: () => void;
}): GroupFlush {
  const { bus, origin } = options;
  let queue: Waiting[] = [];
  let publishing = false;
  let broken = false;

  async function drain(): Promise<void> {
    publishing = true;
    while (queue.length > 0) {
      const batch = take();
      const token = await send(batch.map(({ row }) => row));
      for (const { settle } of batch) settle(token);
      if (!token) {
        for (const { settle } of queue) settle(null);
        queue = [];
      }
    }
    publishing = false;
  }

  function take(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { row } of queue) {
      bytes += row.payload.length;
      if (count > 0 && (bytes > maxBytes || count === maxRows)) break;
      count += 1;
    }
    return queue.splice(0, count);
  }

  async function send(rows: OutboxRow[]): Promise<ReadAfter | null> {
    const { stream } = bus;
    if (!stream || broken) return null;
    try {
      const { seq } = await stream.js.publish(subjectOf(origin), joinPayloads(rows), {
        timeout: budgetMs,
      });
      options.onAcknowledged(rows.map((row) => ({ row, sequence: seq })));
      return { incarnation: stream.incarnation, positions: { [origin]: seq } };
    } catch {
      broken = true;
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
      );
    },
  };
}

async function withinBudget(answer: Promise<ReadAfter | null>): Promise<ReadAfter | null> {
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

/** One array out of several; each payload is one already. */
export const joinPayloads = (rows: readonly OutboxRow[]): string =>
  `[${rows.map(({ payload }) => payload.slice(1, -1)).join(',')}]`;
