import type { OutboxRow } from './emit.ts';

/** How many rows share a message at most. */
export const maxRows = 128;
const maxBytes = 256 * 1024;

/** How many of these rows, from the first on, go into one message: at least one, however large it is. */
export function rowsPerMessage(rows: readonly OutboxRow[]): number {
  let bytes = 0;
  let count = 0;
  for (const { payload } of rows) {
    bytes += Buffer.byteLength(payload);
    if (count > 0 && (bytes > maxBytes || count === maxRows)) break;
    count += 1;
  }
  return count;
}

/** One array out of several; each payload is one already. */
export const joinPayloads = (rows: readonly OutboxRow[]): string =>
  `[${rows.map(({ payload }) => payload.slice(1, -1)).join(',')}]`;

/** What a repeat would not cure: the message itself is at fault. */
export const isRejected = (error: unknown): boolean =>
  error instanceof Error && /max_payload|maximum payload|message size exceeds/i.test(error.message);
