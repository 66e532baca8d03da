/** A position in the feed of a business unit, which is that of the API key. */
export interface FeedPosition {
  epoch: string;
  sequence: number;
  /** The digest of the epoch up to `sequence`, in hex. */
  digest: string;
}

/** A position as a cursor names it: with the first digits of the digest. */
export interface CursorPosition {
  epoch: string;
  sequence: number;
  digestStart: string;
}

const digestDigits = 16;
const digestStartOf = (digest: string): string => digest.slice(0, digestDigits);

/**
 * `base64url("1." + epoch + "." + sequence + "." + digestStart)`. The digest makes a cursor valid
 * only in the history that the client has read: a database that was restored assigns the same
 * sequences to other changes.
 */
export const encodeCursor = ({ epoch, sequence, digest }: FeedPosition): string =>
  Buffer.from(`1.${epoch}.${sequence}.${digestStartOf(digest)}`).toString('base64url');

/** The position that a cursor contains, or null if the text is not one. */
export function decodeCursor(cursor: string): CursorPosition | null {
  const text = Buffer.from(cursor, 'base64url').toString();
  const match = /^1\.([0-9a-f-]{36})\.(0|[1-9]\d{0,15})\.([0-9a-f]{16})$/.exec(text);
  const [, epoch, digits, digestStart] = match ?? [];
  const sequence = Number(digits);
  if (!epoch || !digestStart || !Number.isSafeInteger(sequence)) return null;
  const isCanonical = encodeCursor({ epoch, sequence, digest: digestStart }) === cursor;
  return isCanonical ? { epoch, sequence, digestStart } : null;
}

/**
 * The feed of a business unit: its end, and the last sequence that is not kept or belongs to an
 * earlier epoch.
 */
export interface FeedState extends FeedPosition {
  floor: number;
}

export type StartDecision =
  /**
   * The page starts after this sequence, whose digest must be that of the cursor; null at the
   * floor.
   */
  | { outcome: 'read'; after: number; cursor: CursorPosition | null }
  | { outcome: 'invalid' }
  /** The epoch is not the present one: it may be that of another business unit. */
  | { outcome: 'other_epoch'; epoch: string }
  | { outcome: 'reset' }
  | { outcome: 'expired' };

/**
 * Decides after which sequence a page starts. Without a cursor it starts with the oldest change
 * that is kept.
 */
export function decideStart(cursor: string | undefined, state: FeedState): StartDecision {
  if (cursor === undefined) return { outcome: 'read', after: state.floor, cursor: null };
  const position = decodeCursor(cursor);
  if (!position) return { outcome: 'invalid' };
  const { epoch, sequence } = position;
  if (epoch !== state.epoch) return { outcome: 'other_epoch', epoch };
  if (sequence > state.sequence) return { outcome: 'reset' };
  if (sequence < state.floor) return { outcome: 'expired' };
  // The change at the floor may be deleted, and no other history of the epoch has its floor there.
  if (sequence === state.floor) return { outcome: 'read', after: sequence, cursor: null };
  return { outcome: 'read', after: sequence, cursor: position };
}

/**
 * Whether the feed has the history that the client of a cursor has read. `digest` is the feed's at
 * its sequence.
 */
export const isSameHistory = (
  { digestStart }: CursorPosition,
  digest: string | undefined,
): boolean => digest !== undefined && digestStartOf(digest) === digestStart;
