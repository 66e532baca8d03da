import { streamName } from '@event-api/contracts/messages/snapshot';
import type { ConsumerMessages } from '@nats-io/jetstream';
import { createWaiter } from '../../core/every.ts';
import { traceparentHeader } from '../../telemetry/trace-context.ts';
import type { StreamConnection } from '../bus/connect.ts';
import type { StreamMessage } from './decode.ts';

/** Whoever has been away for long is sent more than it can apply at once: beyond this it asks again later. */
const maxBuffered = 5000;
const waitMs = 500;
/**
 * How long one request for messages is good. A server of version 2.9 now and then ends one without saying so (one in some
 * forty), and then nothing comes until its silence is noticed. So they are long, and silence is no more than two beats.
 */
const requestMs = 10 * 60_000;
const heartbeatMs = 500;

export interface StreamReader {
  /** Up to `max` messages as soon as there is one; none after half a second or an `interrupt`. Errors: when the reading broke off. */
  next(max: number): Promise<StreamMessage[]>;
  interrupt(): void;
  close(): Promise<void>;
}

/**
 * Reads the stream in order from a sequence number. The server keeps nothing of it, and what it sends ahead is
 * bounded: the client has no flow control of its own, so reading is laid down when the buffer is full and taken up
 * again where it ended once that is empty.
 */
export async function openConsumer(
  stream: StreamConnection,
  fromSequence: number,
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
      filter_subjects: 'ev.>',
    });
    messages = await consumer.consume({
      max_messages: 1000,
      expires: requestMs,
      idle_heartbeat: heartbeatMs,
      callback(message) {
        // What a reset delivers again has been taken already; nothing is taken once reading is laid down.
        if (attempt !== consumeAttempt || message.seq < expected) return;
        expected = message.seq + 1;
        buffer.push({
          seq: message.seq,
          subject: message.subject,
          data: message.string(),
          traceparents: message.headers?.values(traceparentHeader) ?? [],
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
      fail(error instanceof Error ? error : new Error('the reading has ended'));
    });
    void onHeartbeatsMissed(messages, () => fail(new Error('the stream is silent')));
  }

  async function pauseConsuming(): Promise<void> {
    const paused = messages;
    messages = null;
    consumeAttempt += 1;
    await paused?.close().catch(() => {});
  }

  await startConsuming();
  return {
    async next(max) {
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

/** The library would ask again by itself, but where that fails only after the time of a whole request. */
async function onHeartbeatsMissed(messages: ConsumerMessages, notice: () => void): Promise<void> {
  for await (const { type } of messages.status()) if (type === 'heartbeats_missed') notice();
}
