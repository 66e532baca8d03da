import type { Readable } from 'node:stream';
import { deadlineExceeded } from '@event-api/platform/errors';

/** Twice what a page of a list may have. */
const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * A service's whole answer. Nothing is sent on before it is complete: an answer that is cut off must
 * not look like one. Errors: when it breaks off or grows beyond 4 MiB, 504 when it takes longer than `withinMs`.
 */
export async function readWhole(stream: Readable, withinMs: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The client library only watches the time between two chunks, and a drip could go on forever.
  const deadline = setTimeout(() => stream.destroy(deadlineExceeded()), withinMs);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(deadline);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
