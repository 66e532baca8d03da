import { createHash } from 'node:crypto';
import { type Origin, Snapshot, subjectOf } from '@event-api/contracts/messages/snapshot';
import type { Copy } from './copy.ts';

/** A message as it came from the stream. */
export interface Received {
  seq: number;
  subject: string;
  data: string;
  /** Where in traces it was published, as its headers say. */
  traceparents: readonly string[];
}

/** A snapshot that is to be applied, and where it stood. */
export interface Pending {
  copy: Copy;
  snapshot: Snapshot;
  seq: number;
  index: number;
}

/** A snapshot that cannot be applied, and why. */
export interface Poison {
  seq: number;
  index: number;
  body: string;
  error: string;
  /** What of that a log may say. */
  reason: string;
}

/** What identifies a message at its place in the stream. */
export const anchorOf = (data: string): string => createHash('sha1').update(data).digest('base64');

/**
 * What messages mean to these copies: the snapshots to apply, each record once and in its newest
 * version, and those that no schema takes. Types that nobody here copies mean nothing, and so does a
 * type under the subject of another origin.
 */
export function readMessages(
  messages: readonly Received[],
  copies: readonly Copy[],
): { pending: Pending[]; poison: Poison[] } {
  const newest = new Map<string, Pending>();
  const poison: Poison[] = [];
  for (const message of messages) {
    for (const [index, part] of partsOf(message, poison).entries()) {
      const read = readPart(message, index, part, copies, poison);
      if (!read) continue;
      const key = `${read.snapshot.type} ${read.snapshot.aggregateId}`;
      const known = newest.get(key);
      if (!known || known.snapshot.version < read.snapshot.version) newest.set(key, read);
    }
  }
  return { pending: [...newest.values()], poison };
}

function partsOf({ seq, data }: Received, poison: Poison[]): unknown[] {
  try {
    const parsed: unknown = JSON.parse(data);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Kept below, like everything that is no array.
  }
  const error = 'not a JSON array';
  poison.push({ seq, index: -1, body: data, error, reason: error });
  return [];
}

function readPart(
  { seq, subject }: Received,
  index: number,
  part: unknown,
  copies: readonly Copy[],
  poison: Poison[],
): Pending | null {
  const type = (part as { type?: unknown } | null)?.type;
  const copy = copies.find(
    (candidate) => candidate.type.type === type && subjectFits(candidate.type.origin, subject),
  );
  if (!copy) return null;
  const { snapshot, error } = readSnapshot(copy, part);
  if (snapshot) return { copy, seq, index, snapshot };
  poison.push({ seq, index, body: JSON.stringify(part), error, reason: error });
  return null;
}

/** A snapshot of what this copy is made of, with the fields that are known here, or why it is none. */
export function readSnapshot(
  copy: Copy,
  part: unknown,
): { snapshot: Snapshot; error: null } | { snapshot: null; error: string } {
  const snapshot = Snapshot.safeParse(part);
  if (!snapshot.success) return { snapshot: null, error: snapshot.error.message };
  const data = copy.type.data.safeParse(snapshot.data.data);
  if (!data.success) return { snapshot: null, error: data.error.message };
  return { snapshot: { ...snapshot.data, data: data.data }, error: null };
}

const subjectFits = (origin: Origin, subject: string): boolean => subject === subjectOf(origin);
