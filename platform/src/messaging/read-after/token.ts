import { type Origin, origins } from '@event-api/contracts/messages/snapshot';

/**
 * The stream sequences that a service must have applied before it responds, so that a client reads
 * its own writes. Format: `<stream creation time>;catalog=17,registration=19`.
 */
export interface ReadAfterToken {
  streamCreatedAt: string;
  sequences: Partial<Record<Origin, number>>;
}

export const readAfterHeader = 'x-read-after';

export function formatReadAfter({ streamCreatedAt, sequences }: ReadAfterToken): string {
  const parts = Object.entries(sequences).map(([origin, sequence]) => `${origin}=${sequence}`);
  return `${streamCreatedAt};${parts.join(',')}`;
}

/** Returns null for an invalid token, which then requires nothing. */
export function parseReadAfter(text: unknown): ReadAfterToken | null {
  if (typeof text !== 'string' || text.length > 500) return null;
  const [streamCreatedAt, rest] = text.split(';');
  if (!streamCreatedAt || !rest) return null;
  const sequences: ReadAfterToken['sequences'] = {};
  for (const part of rest.split(',')) {
    const [name, digits] = part.split('=');
    const origin = origins.find((candidate) => candidate === name);
    const sequence = Number(digits);
    if (origin && Number.isSafeInteger(sequence) && sequence > 0) sequences[origin] = sequence;
  }
  return { streamCreatedAt, sequences };
}

/**
 * Merges two tokens: the later sequence of each origin. Of two streams the newer one wins, because
 * sequences of the older one are meaningless.
 */
export function mergeReadAfter(
  a: ReadAfterToken | null,
  b: ReadAfterToken | null,
): ReadAfterToken | null {
  if (!a || !b) return b ?? a;
  if (a.streamCreatedAt !== b.streamCreatedAt)
    return isOlderStream(a.streamCreatedAt, b.streamCreatedAt) ? b : a;
  const sequences = { ...a.sequences };
  for (const origin of origins) {
    const sequence = Math.max(a.sequences[origin] ?? 0, b.sequences[origin] ?? 0);
    if (sequence > 0) sequences[origin] = sequence;
  }
  return { streamCreatedAt: a.streamCreatedAt, sequences };
}

/** Creation times in the format of the server, which sort as text. */
export const isOlderStream = (streamCreatedAt: string, than: string): boolean =>
  streamCreatedAt < than;
