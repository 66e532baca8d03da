import {
  lineageHeader,
  outboxHeader,
  previousLineageHeader,
  streamName,
} from '@event-api/contracts/messages/snapshot';
import type { ConsumerMessages } from '@nats-io/jetstream';
import { createWaiter } from '../../core/every.ts';
import { projectionTimeouts } from '../../core/timeouts.ts';
import { traceparentHeader } from '../../telemetry/trace-context.ts';
import type { StreamConnection } from './connect.ts';

/**
 * After a long disconnect the server sends messages faster than they can be applied. When the
 * buffer holds this many, consumption pauses.
 */
const maxBuffered = 5000;

/** A message of the stream. */
export interface StreamMessage {
  seq: number;
  subject: string;
  /** Empty if only headers are read. */
  data: string;
  /** The traces in which it was published, from its headers. */
  traceparents: readonly string[];
  /** The lineage of its publisher; null from a release without lineages. */
  lineage: string | null;
  /** The lineage that its publisher's database had before; null if it was never replaced. */
  previousLineage: string | null;
  /** The ids of its outbox rows; empty from a release without this header. */
  outboxIds: readonly string[];
}

export interface StreamReader {
  /**
   * Returns up to `max` messages as soon as there is one; none after `waitMs`, half a second by
   * default, or an `interrupt`. Errors: when consumption has failed.
   */
  next(max: number, waitMs?: number): Promise<StreamMessage[]>;
  interrupt(): void;
  close(): Promise<void>;
}

/**
 * Consumes a subject of the stream, by default all of them, in order from a sequence number. The
 * server keeps no state for it. The client has no flow control, so consumption pauses when the
 * buffer is full, and resumes at the same place when the buffer is empty.
 */
export async function openConsumer(
  stream: StreamConnection,
  fromSequence: number,
  { subject = 'snapshot.>', headersOnly = false }: { subject?: string; headersOnly?: boolean } = {},
): Promise<StreamReader> {
  const buffer: StreamMessage[] = [];
  const waiter = createWaiter();
  let failure: Error | null = null;
  let expected = fromSequence;
  let messages: ConsumerMessages | null = null;
  let consumeAttempt = 0;

  async function startConsuming(): Promise<void> {
    const attempt = ++consumeAttempt;
    const consumer = await stream.js.consumers.get(streamName, {
      deliver_policy: 'by_start_sequence',
      opt_start_seq: expected,
      filter_subjects: subject,
      headers_only: headersOnly,
    });
    messages = await consumer.consume({
      max_messages: 1000,
      expires: projectionTimeouts.pullMs,
      idle_heartbeat: projectionTimeouts.heartbeatIntervalMs,
      callback(message) {
        // Ignores messages that a reset delivers again, and messages after a pause.
        if (attempt !== consumeAttempt || message.seq < expected) return;
        expected = message.seq + 1;
        buffer.push({
          seq: message.seq,
          subject: message.subject,
          data: message.string(),
          traceparents: message.headers?.values(traceparentHeader) ?? [],
          lineage: message.headers?.get(lineageHeader) || null,
          previousLineage: message.headers?.get(previousLineageHeader) || null,
          outboxIds: message.headers?.get(outboxHeader).split(',').filter(Boolean) ?? [],
        });
        if (buffer.length >= maxBuffered) void pauseConsuming();
        waiter.wake();
      },
    });
    const fail = (error: Error) => {
      if (attempt !== consumeAttempt) return;
      failure = error;
      waiter.wake();
    };
    void messages.closed().then((error) => {
      fail(error instanceof Error ? error : new Error('the consumer has ended'));
    });
    void onHeartbeatsMissed(messages, () =>
      fail(new Error('heartbeats of the stream are missing')),
    );
  }

  async function pauseConsuming(): Promise<void> {
    const paused = messages;
    messages = null;
    consumeAttempt += 1;
    await paused?.close().catch(() => {});
  }

  await startConsuming();
  return {
    async next(max, waitMs = projectionTimeouts.messagesMs) {
      if (buffer.length === 0 && !failure) {
        if (!messages) await startConsuming();
        await waiter.wait(waitMs);
      }
      if (buffer.length === 0 && failure) throw failure;
      return buffer.splice(0, max);
    },
    interrupt: () => waiter.wake(),
    close: pauseConsuming,
  };
}

/** The library repeats its request by itself, but detects a failure only after a whole request. */
async function onHeartbeatsMissed(messages: ConsumerMessages, notice: () => void): Promise<void> {
  for await (const { type } of messages.status()) if (type === 'heartbeats_missed') notice();
}
