import { type Origin, origins } from '@event-api/contracts/messages/snapshot';

/**
 * How far the stream must have been read for an answer to be no older than what its caller knows.
 * Written `<incarnation>;catalog=17,registration=19`.
 */
export interface ReadAfter {
  incarnation: string;
  positions: Partial<Record<Origin, number>>;
}

export const readAfterHeader = 'x-read-after';

export function formatReadAfter({ incarnation, positions }: ReadAfter): string {
  const parts = Object.entries(positions).map(([origin, sequence]) => `${origin}=${sequence}`);
  return `${incarnation};${parts.join(',')}`;
}

/** Null for anything that is not a token; it then asks for nothing. */
export function parseReadAfter(text: unknown): ReadAfter | null {
  if (typeof text !== 'string' || text.length > 500) return null;
  const [incarnation, rest] = text.split(';');
  if (!incarnation || !rest) return null;
  const positions: ReadAfter['positions'] = {};
  for (const part of rest.split(',')) {
    const [name, digits] = part.split('=');
    const origin = origins.find((known) => known === name);
    const sequence = Number(digits);
    if (origin && Number.isSafeInteger(sequence) && sequence > 0) positions[origin] = sequence;
  }
  return { incarnation, positions };
}

/** The later of both, origin by origin. Of two streams the newer one counts: the numbers of the other mean nothing any more. */
export function mergeReadAfter(a: ReadAfter | null, b: ReadAfter | null): ReadAfter | null {
  if (!a || !b) return b ?? a;
  if (a.incarnation !== b.incarnation) return isOlderStream(a.incarnation, b.incarnation) ? b : a;
  const positions = { ...a.positions };
  for (const origin of origins) {
    const sequence = Math.max(a.positions[origin] ?? 0, b.positions[origin] ?? 0);
    if (sequence > 0) positions[origin] = sequence;
  }
  return { incarnation: a.incarnation, positions };
}

/** Incarnations are instants as the server writes them, which sort as text. */
export const isOlderStream = (incarnation: string, than: string): boolean => incarnation < than;
