/** The lineage of a database, and the one that it replaced. */
export interface Lineages {
  lineage: string;
  previousLineage: string | null;
}

/** What the database stores about the own messages in the stream. */
export interface StreamStateRow extends Lineages {
  incarnation: string;
  confirmedSeq: number;
}

/**
 * The number of rows that were marked as published, and the confirmed sequence if it was raised.
 */
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
 * How many sequences before its end a stream is read that the stored position does not fit. All
 * rows of a message that was published later exist in a database that was not put back, so the
 * newest messages are sufficient.
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

/**
 * Rows that messages name and the database does not have, in the order of the first message of each
 * lineage.
 */
export interface MissingRows {
  /** The lineage of the messages; null from a release without lineages. */
  lineage: string | null;
  previousLineage: string | null;
  rows: number;
}

export type RewindDecision =
  | { outcome: 'confirmed'; confirmedSeq: number }
  /** The database was restored. */
  | { outcome: 'rewound'; confirmedSeq: number; lostRows: number }
  /** Another database publishes to the stream. This one has lost nothing. */
  | { outcome: 'shared'; confirmedSeq: number; lineages: readonly string[] };

/**
 * Decides whether the database was restored. Rows are committed before they are published, and
 * published ones are kept for a day: a row that the stream or this process knows and the database
 * does not is one that the database has lost. Unless it is of another database: its messages carry
 * a lineage that this database has never had, and that does not descend from its present one, as
 * those do that it had after a backup was taken. A database that has never seen a stream cannot
 * distinguish them.
 */
export function decideRewind(facts: {
  state: StreamStateRow;
  /** The end up to which messages were read. */
  ownEnd: number;
  missing: readonly MissingRows[];
  /** Whether a row that this process has published was missing when it was marked. */
  hasMissedOwnRow: boolean;
}): RewindDecision {
  const { state, ownEnd, missing, hasMissedOwnRow } = facts;
  const isOwn = ownLineages(state, missing);
  const isNew = state.incarnation === '';
  const lost = missing.filter(({ lineage }) => isNew || lineage === null || isOwn.has(lineage));
  const lostRows = lost.reduce((sum, { rows }) => sum + rows, 0);
  if (lostRows > 0 || hasMissedOwnRow)
    return { outcome: 'rewound', confirmedSeq: ownEnd, lostRows };
  const lineages = missing.flatMap(({ lineage }) => lineage ?? []);
  if (lineages.length > 0) return { outcome: 'shared', confirmedSeq: ownEnd, lineages };
  return { outcome: 'confirmed', confirmedSeq: ownEnd };
}

/** The lineages that this database has or had, as far as the messages show. */
function ownLineages(state: Lineages, missing: readonly MissingRows[]): ReadonlySet<string> {
  const descendants = new Set([state.lineage]);
  for (const { lineage, previousLineage } of missing)
    if (lineage !== null && previousLineage !== null && descendants.has(previousLineage))
      descendants.add(lineage);
  // A process that has not noticed the new lineage yet still publishes with the previous one.
  return state.previousLineage === null ? descendants : descendants.add(state.previousLineage);
}
