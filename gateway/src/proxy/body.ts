import type { Readable } from 'node:stream';
import { ApiError, deadlineExceeded } from '@event-api/platform/core/errors';
import type { FastifyRequest } from 'fastify';
import type { Slots } from './read-slots.ts';

/** Twice what a page of a list may have. */
const maxResponseBytes = 4 * 1024 * 1024;

/** The bytes of a body as they arrive. */
interface Collector {
  add(chunk: Buffer): void;
  body(): Buffer;
}

/** For bodies of one or few chunks. */
function collectChunks(): Collector {
  const chunks: Buffer[] = [];
  return {
    add: (chunk) => void chunks.push(chunk),
    body: () => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
  };
}

/** For large bodies: each chunk is garbage at once, so the memory in use is that of one copy. */
function collectInto(buffer: Buffer): Collector {
  let end = 0;
  return {
    add(chunk) {
      end += chunk.copy(buffer, end);
    },
    body: () => buffer.subarray(0, end),
  };
}

/** What bounds the memory of a large body. */
export interface LargeBody {
  /** The size that the service announced. */
  bytes: number;
  slots: Slots;
  /** Whether the client has gone, so that the body need not be read. */
  isAbandoned: () => boolean;
}

/**
 * A service's whole answer. Nothing is sent on before it is complete: an answer that is cut off must
 * not look like one. A large body is read when there is a free slot.
 * Errors: when it breaks off or grows beyond 4 MiB, 504 when it takes longer than `withinMs`.
 */
export function readBody(stream: Readable, timeoutMs: number, large?: LargeBody): Promise<Buffer> {
  // By events: an iterator over the stream costs more than everything else here.
  return new Promise((resolve, reject) => {
    let collector = collectChunks();
    let bytes = 0;
    let isComplete = false;
    let freeSlot: (() => void) | undefined;
    // The client library only watches the time between two chunks, and a drip could go on forever.
    const deadline = setTimeout(() => stream.destroy(deadlineExceeded()), timeoutMs);
    const read = () =>
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxResponseBytes) stream.destroy(new Error('the response is too large'));
        else collector.add(chunk);
      });
    stream.once('end', () => {
      isComplete = true;
      resolve(collector.body());
    });
    stream.on('error', reject);
    stream.once('close', () => {
      clearTimeout(deadline);
      freeSlot?.();
      // After an error this changes nothing.
      if (!isComplete) reject(new Error('the response ended early'));
    });
    if (!large) return void read();
    void large.slots.take().then((free) => {
      if (large.isAbandoned()) stream.destroy();
      if (stream.destroyed) return free();
      freeSlot = free;
      if (large.bytes <= maxResponseBytes)
        collector = collectInto(Buffer.allocUnsafeSlow(large.bytes));
      read();
    });
  });
}

/**
 * Refuses bodies that no service would read as they were meant: packed ones, and JSON in any letters
 * but UTF-8. Errors: 415.
 */
export async function requireJsonBody({ headers }: FastifyRequest): Promise<void> {
  const encoding = headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new ApiError(415, 'The body must not be compressed');
  }
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset && charset.toLowerCase() !== 'utf-8') {
    throw new ApiError(415, 'The body must be UTF-8');
  }
}
