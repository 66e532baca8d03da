import { streamName } from '@event-api/contracts/messages/snapshot';
import type { ConsumerMessages } from '@nats-io/jetstream';
import type { Stream } from '../bus/connect.ts';
import type { Received } from './apply.ts';

/** More than this is not held in memory: reading starts again from where it has come to. */
const maxBuffered = 5000;
const waitMs = 500;

export interface StreamReader {
  /** Up to `max` messages as soon as there is one; none after half a second. Errors: when the reading broke off. */
  take(max: number): Promise<Received[]>;
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
  let wake: (() => void) | null = null;
  let failure: Error | null = null;
  let expected = fromSequence;
  const messages: ConsumerMessages = await consumer.consume({
    max_messages: 1000,
    expires: 2000,
    idle_heartbeat: 500,
    callback(message) {
      // What a reset delivers again has been taken already.
      if (message.seq < expected) return;
      expected = message.seq + 1;
      buffer.push({ seq: message.seq, subject: message.subject, data: message.string() });
      if (buffer.length > maxBuffered) failure = new Error('too much is buffered');
      wake?.();
    },
  });
  void messages.closed().then((error) => {
    failure ??= error instanceof Error ? error : new Error('the reading has ended');
    wake?.();
  });
  return {
    async take(max) {
      if (buffer.length === 0 && !failure) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = null;
      }
      if (buffer.length === 0 && failure) throw failure;
      return buffer.splice(0, max);
    },
    async close() {
      await messages.close().catch(() => {});
    },
  };
}
