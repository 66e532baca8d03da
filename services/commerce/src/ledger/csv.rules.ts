import type { JournalAccount, JournalCause } from '@event-api/contracts/operator/ledger';

/** An entry of the journal, without its unit. */
export interface ExportedEntry {
  position: number;
  postedAt: Date;
  eventId: string;
  orderId: string;
  cause: JournalCause;
  causeId: string;
  debit: JournalAccount;
  credit: JournalAccount;
  amount: number;
  currency: string;
}

const fields = [
  'position',
  'postedAt',
  'eventId',
  'orderId',
  'cause',
  'causeId',
  'debit',
  'credit',
  'amount',
  'currency',
] as const satisfies readonly (keyof ExportedEntry)[];

/** Entries as CSV with a header line. No value has a comma, a quote or a line break. */
export const csvOf = (entries: readonly ExportedEntry[]): string =>
  `${fields.join()}\n${entries.map(lineOf).join('')}`;

/** The line of an entry, with its line feed. Digests of the journal are over these lines. */
export const lineOf = (entry: ExportedEntry): string =>
  `${fields
    .map((field) => {
      const value = entry[field];
      return value instanceof Date ? value.toISOString() : String(value);
    })
    .join()}\n`;
