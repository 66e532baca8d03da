import type { Readable } from 'node:stream';
import { deadlineExceeded } from '@event-api/platform/errors';

/** Twice what a page of a list may have. */
const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * A service's whole answer. Nothing is sent on before it is complete: an answer that is cut off must
 * not look like one. Errors: when it breaks off or grows beyond 4 MiB, 504 when it takes longer than `withinMs`.
 */
export function readWhole(stream: Readable, withinMs: number): Promise<Buffer> {
  // By events: an iterator over the stream costs more than everything else here.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isWhole = false;
    // The client library only watches the time between two chunks, and a drip could go on forever.
    const deadline = setTimeout(() => stream.destroy(deadlineExceeded()), withinMs);
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) stream.destroy(new Error('the answer is too large'));
      else chunks.push(chunk);
    });
    stream.once('end', () => {
      isWhole = true;
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    stream.on('error', reject);
    stream.once('close', () => {
      clearTimeout(deadline);
      // After an error this changes nothing.
      if (!isWhole) reject(new Error('the answer broke off'));
    });
  });
}
