/** A position in the feed of a business unit. The unit is that of the API key. */
export interface FeedPosition {
  epoch: string;
  sequence: number;
}

/** `base64url("1." + epoch + "." + sequence)`. */
export const encodeCursor = ({ epoch, sequence }: FeedPosition): string =>
  Buffer.from(`1.${epoch}.${sequence}`).toString('base64url');

/** The position that a cursor contains, or null if the text is not one. */
export function decodeCursor(cursor: string): FeedPosition | null {
  const text = Buffer.from(cursor, 'base64url').toString();
  const match = /^1\.([0-9a-f-]{36})\.(0|[1-9]\d{0,15})$/.exec(text);
  const [, epoch, digits] = match ?? [];
  const sequence = Number(digits);
  if (!epoch || !Number.isSafeInteger(sequence)) return null;
  const position = { epoch, sequence };
  return encodeCursor(position) === cursor ? position : null;
}

/** The feed of a business unit: its epoch, its last sequence and the last one that is not kept. */
export interface FeedState extends FeedPosition {
  floor: number;
}

export type StartDecision =
  | { outcome: 'read'; after: number }
  | { outcome: 'invalid' }
  | { outcome: 'reset' }
  | { outcome: 'expired' };

/** Decides after which sequence a page starts. Without a cursor it starts with the oldest change that is kept. */
export function decideStart(cursor: string | undefined, state: FeedState): StartDecision {
  if (cursor === undefined) return { outcome: 'read', after: state.floor };
  const position = decodeCursor(cursor);
  if (!position) return { outcome: 'invalid' };
  const { epoch, sequence } = position;
  if (epoch !== state.epoch || sequence > state.sequence) return { outcome: 'reset' };
  return sequence < state.floor ? { outcome: 'expired' } : { outcome: 'read', after: sequence };
}
