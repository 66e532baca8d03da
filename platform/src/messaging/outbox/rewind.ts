/** What the database stores about the own messages in the stream. */
export interface StreamStateRow {
  lineage: string;
  incarnation: string;
  confirmedSeq: number;
}

/** The number of rows that were marked as published, and the confirmed sequence if it was raised. */
export interface MarkResult {
  marked: number;
  confirmedSeq: number | null;
}

/** The stream as it is now. */
export interface StreamFacts {
  createdAt: string;
  /** The sequence of the last own message, or 0. */
  ownEnd: number;
  /** Whether it has lost a message that it had acknowledged. */
  hasLostMessages: boolean;
}

/**
 * How many sequences before its end a stream is read that the stored position does not fit. All rows of a message that
 * was published later exist in a database that was not put back, so the newest messages are sufficient.
 */
export const lookBackSequences = 1000;

export type StreamComparison =
  /** The own messages after this sequence are unconfirmed. */
  | { outcome: 'same_stream'; after: number }
  /** The stream was recreated or has lost its end: the stored position means nothing in it. */
  | { outcome: 'other_stream'; after: number };

/** Compares the stored position with the stream. It says nothing about the database. */
export function compareWithStream(state: StreamStateRow, stream: StreamFacts): StreamComparison {
  const isSame =
    state.incarnation === stream.createdAt &&
    !stream.hasLostMessages &&
    stream.ownEnd >= state.confirmedSeq;
  if (isSame) return { outcome: 'same_stream', after: state.confirmedSeq };
  return { outcome: 'other_stream', after: Math.max(0, stream.ownEnd - lookBackSequences) };
}

export type RewindDecision =
  | { outcome: 'confirmed'; confirmedSeq: number }
  | { outcome: 'rewound'; confirmedSeq: number };

/**
 * Decides whether the database was put back. Rows are committed before they are published, and published ones are kept
 * for a day: a row that the stream or this process knows and the database does not is one that the database has lost.
 */
export function decideRewind(facts: {
  /** The end up to which messages were read. */
  ownEnd: number;
  /** The number of outbox rows of these messages that the database does not have. */
  missingRows: number;
  /** Whether a row that this process has published was missing when it was marked. */
  hasMissedOwnRow: boolean;
}): RewindDecision {
  const { ownEnd, missingRows, hasMissedOwnRow } = facts;
  const outcome = missingRows > 0 || hasMissedOwnRow ? 'rewound' : 'confirmed';
  return { outcome, confirmedSeq: ownEnd };
}
