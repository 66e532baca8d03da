import type { JournalAccount } from '@event-api/contracts/operator/ledger';
import { defineEntity, p } from '@mikro-orm/core';

/** What came to and left an account on a day, in the minor unit of a currency. */
export interface DaySums {
  account: JournalAccount;
  debit: number;
  credit: number;
}

/**
 * The entries of a unit and currency on a closed day. A day without entries has none. Each digest
 * names the hash of the one before it, so that no earlier one can be replaced unnoticed.
 */
export const JournalDigest = defineEntity({
  name: 'JournalDigest',
  tableName: 'journal_digest',
  properties: {
    businessUnitId: p.text().primary(),
    currency: p.text().primary(),
    /** In the form `2026-11-28`, in UTC. */
    day: p.text().primary(),
    entries: p.integer(),
    accounts: p.json<DaySums[]>(),
    /** SHA-256 of the lines of the entries in the CSV of the journal, in hex like the next ones. */
    entriesHash: p.text(),
    previousHash: p.text().nullable(),
    hash: p.text(),
    /** Ed25519 over the text of which `hash` is the hash; null without a key. In base64. */
    signature: p.text().nullable(),
    /** The key of the signature: SubjectPublicKeyInfo in base64. */
    publicKey: p.text().nullable(),
  },
  uniques: [{ name: 'journal_digest_of_unit', properties: ['businessUnitId', 'day', 'currency'] }],
  triggers: [
    {
      name: 'immutable',
      timing: 'before',
      events: ['update', 'delete'],
      body: `raise exception 'digests of the journal are never changed';`,
    },
  ],
});
