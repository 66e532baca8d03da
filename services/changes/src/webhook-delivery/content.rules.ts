import { maxKeptBodyBytes } from '@event-api/contracts/http/webhook-endpoints';

/** What an attempt keeps of a response. It is foreign text, of a bounded size and without NUL. */
export interface ResponseContent {
  contentType: string | null;
  body: string;
}

const maxContentTypeBytes = 100;

/** The content of a response. `received` is its body, or the part of it that was read. */
export const contentOf = (contentType: string | undefined, received: Buffer): ResponseContent => ({
  contentType: truncateText(Buffer.from(contentType ?? ''), maxContentTypeBytes) || null,
  body: truncateText(received, maxKeptBodyBytes),
});

/**
 * The beginning of a text, at most `maxBytes` of UTF-8, cut between two characters. Bytes that are
 * not UTF-8 are replaced, and NUL is removed, which PostgreSQL does not store.
 */
function truncateText(received: Buffer, maxBytes: number): string {
  const text = received.toString('utf8').replaceAll('\0', '');
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  // A byte `10xxxxxx` continues a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
