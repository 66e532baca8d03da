/** What a digest says about the entries of a unit and currency on a day. */
export interface DigestFacts {
  businessUnitId: string;
  currency: string;
  day: string;
  entries: number;
  entriesHash: string;
  /** Null for the first day of the unit and currency that has entries. */
  previousHash: string | null;
}

/**
 * The canonical text of a digest: its hash is the SHA-256 of this text, and its signature is over
 * it. Each line ends with a line feed. `docs/verify-ledger.py` builds the same text.
 */
export function digestText(facts: DigestFacts): string {
  const { businessUnitId, currency, day, entries, entriesHash, previousHash } = facts;
  return [
    'event-api journal digest 1',
    businessUnitId,
    currency,
    day,
    String(entries),
    entriesHash,
    previousHash ?? '-',
  ]
    .map((line) => `${line}\n`)
    .join('');
}
