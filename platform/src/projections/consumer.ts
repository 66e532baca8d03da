import { streamName } from '@event-api/contracts/messages/snapshot';
import type { ConsumerMessages } from '@nats-io/jetstream';
import type { Stream } from '../bus/connect.ts';
import { traceHeader } from '../outbox/publish.ts';
import { createPause } from '../pause.ts';
import type { Received } from './apply.ts';

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
  take(max: number): Promise<Received[]>;
  interrupt(): void;
  close(): Promise<void>;
}

/**
 * Reads the stream in order from a sequence number. The server keeps nothing of it, and what it sends ahead is
 * bounded: the client has no flow control of its own, so reading is laid down when the buffer is full and taken up
 * again where it ended once that is empty.
 */
export async function openConsumer(stream: Stream, fromSequence: number): Promise<StreamReader> {
  const buffer: Received[] = [];
  const pause = createPause();
  let failure: Error | null = null;
  let expected = fromSequence;
  let messages: ConsumerMessages | null = null;
  let readings = 0;

  async function begin(): Promise<void> {
    const mine = ++readings;
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
        if (mine !== readings || message.seq < expected) return;
        expected = message.seq + 1;
        buffer.push({
          seq: message.seq,
          subject: message.subject,
          data: message.string(),
          traceparents: message.headers?.values(traceHeader) ?? [],
        });
        if (buffer.length >= maxBuffered) void layDown();
        pause.end();
      },
    });
    const fail = (error: Error) => {
      if (mine !== readings) return;
      failure = error;
      pause.end();
    };
    void messages.closed().then((error) => {
      fail(error instanceof Error ? error : new Error('the reading has ended'));
    });
    void onSilence(messages, () => fail(new Error('the stream is silent')));
  }

  async function layDown(): Promise<void> {
    const laidDown = messages;
    messages = null;
    readings += 1;
    await laidDown?.close().catch(() => {});
  }

  await begin();
  return {
    async take(max) {
      if (buffer.length === 0 && !failure) {
        if (!messages) await begin();
        await pause.lasting(waitMs);
      }
      if (buffer.length === 0 && failure) throw failure;
      return buffer.splice(0, max);
    },
    interrupt: () => pause.end(),
    close: layDown,
  };
}

/** The library would ask again by itself, but where that fails only after the time of a whole request. */
async function onSilence(messages: ConsumerMessages, notice: () => void): Promise<void> {
  for await (const { type } of messages.status()) if (type === 'heartbeats_missed') notice();
}
