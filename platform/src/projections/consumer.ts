import { streamName } from '@event-api/contracts/messages/snapshot';
import type { ConsumerMessages } from '@nats-io/jetstream';
import type { Stream } from '../bus/connect.ts';
import { traceHeader } from '../outbox/publish.ts';
import { createPause } from '../pause.ts';
import type { Received } from './apply.ts';

/** More than this is not held in memory: reading starts again from where it has come to. */
const maxBuffered = 5000;
const waitMs = 500;

export interface StreamReader {
  /** Up to `max` messages as soon as there is one; none after half a second or an `interrupt`. Errors: when the reading broke off. */
  take(max: number): Promise<Received[]>;
  interrupt(): void;
  close(): Promise<void>;
}

/** Reads the stream in order from a sequence number. The server keeps nothing of it. */
export async function openConsumer(stream: Stream, fromSequence: number): Promise<StreamReader> {
  const consumer = await stream.js.consumers.get(streamName, {
    deliver_policy: 'by_start_sequence',
    opt_start_seq: fromSequence,
    filter_subjects: 'ev.>',
  });
  const buffer: Received[] = [];
  const pause = createPause();
  let failure: Error | null = null;
  let expected = fromSequence;
  const messages: ConsumerMessages = await consumer.consume({
    max_messages: 1000,
    expires: 2000,
    idle_heartbeat: 500,
    callback(message) {
      // What a reset delivers again has been taken already; nothing is taken after a failure.
      if (failure || message.seq < expected) return;
      expected = message.seq + 1;
      buffer.push({
        seq: message.seq,
        subject: message.subject,
        data: message.string(),
        traceparents: message.headers?.values(traceHeader) ?? [],
      });
      if (buffer.length > maxBuffered) fail(new Error('too much is buffered'));
      pause.end();
    },
  });
  function fail(error: Error): void {
    failure ??= error;
    pause.end();
    void messages.close().catch(() => {});
  }
  void messages
    .closed()
    .then((error) => fail(error instanceof Error ? error : new Error('the reading has ended')));
  return {
    async take(max) {
      if (buffer.length === 0 && !failure) await pause.lasting(waitMs);
      if (buffer.length === 0 && failure) throw failure;
      return buffer.splice(0, max);
    },
    interrupt: () => pause.end(),
    async close() {
      await messages.close().catch(() => {});
    },
  };
}
