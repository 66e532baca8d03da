import { createHash } from 'node:crypto';
import { type Origin, Snapshot, subjectFor } from '@event-api/contracts/messages/snapshot';
import type { StreamMessage } from '../bus/consumer.ts';
import type { Projection } from './projection.ts';

/** A snapshot to apply, with its message. */
export interface DecodedSnapshot {
  projection: Projection;
  snapshot: Snapshot;
  seq: number;
  index: number;
}

/** A snapshot that cannot be applied, with the reason. */
export interface DeadLetterInput {
  seq: number;
  index: number;
  body: string;
  error: string;
  /** The reason without data, for the log. */
  reason: string;
}

/** The hash that identifies a message at its sequence number. */
export const hashOf = (data: string): string => createHash('sha1').update(data).digest('base64');

/**
 * Decodes messages for these projections. Returns the newest snapshot of each record, and the
 * snapshots that match no schema. Types without a projection are ignored, and so is a type under
 * the subject of another origin.
 */
export function decodeMessages(
  messages: readonly StreamMessage[],
  projections: readonly Projection[],
): { pending: DecodedSnapshot[]; deadLetters: DeadLetterInput[] } {
  const newest = new Map<string, DecodedSnapshot>();
  const deadLetters: DeadLetterInput[] = [];
  for (const message of messages) {
    for (const [index, part] of partsOf(message, deadLetters).entries()) {
      const decoded = decodePart(message, index, part, projections, deadLetters);
      if (!decoded) continue;
      const key = `${decoded.snapshot.type} ${decoded.snapshot.aggregateId}`;
      const existing = newest.get(key);
      if (!existing || existing.snapshot.version < decoded.snapshot.version)
        newest.set(key, decoded);
    }
  }
  return { pending: [...newest.values()], deadLetters };
}

function partsOf({ seq, data }: StreamMessage, deadLetters: DeadLetterInput[]): unknown[] {
  try {
    const parsed: unknown = JSON.parse(data);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Becomes a dead letter below, like anything else that is no array.
  }
  const error = 'not a JSON array';
  deadLetters.push({ seq, index: -1, body: data, error, reason: error });
  return [];
}

function decodePart(
  { seq, subject }: StreamMessage,
  index: number,
  part: unknown,
  projections: readonly Projection[],
  deadLetters: DeadLetterInput[],
): DecodedSnapshot | null {
  const type = (part as { type?: unknown } | null)?.type;
  const projection = projections.find(
    (candidate) => candidate.type.type === type && subjectFits(candidate.type.origin, subject),
  );
  if (!projection) return null;
  const { snapshot, error } = decodeSnapshot(projection, part);
  if (snapshot) return { projection, seq, index, snapshot };
  deadLetters.push({ seq, index, body: JSON.stringify(part), error, reason: error });
  return null;
}

/**
 * Decodes a snapshot of this projection with the fields of its schema, or returns the reason why it
 * is invalid.
 */
export function decodeSnapshot(
  projection: Projection,
  part: unknown,
): { snapshot: Snapshot; error: null } | { snapshot: null; error: string } {
  const snapshot = Snapshot.safeParse(part);
  if (!snapshot.success) return { snapshot: null, error: snapshot.error.message };
  const data = projection.type.data.safeParse(snapshot.data.data);
  if (!data.success) return { snapshot: null, error: data.error.message };
  return { snapshot: { ...snapshot.data, data: data.data }, error: null };
}

const subjectFits = (origin: Origin, subject: string): boolean => subject === subjectFor(origin);
