import { type JournalCause, journalAccounts } from '@event-api/contracts/operator/ledger';
import { defineEntity, p } from '@mikro-orm/core';

/**
 * One transfer of money between two accounts, so that the accounts of a unit and currency always sum
 * to zero. Triggers of settlements, refunds and disputes post it in the transaction that moves the
 * money, never in a closed day. Entries are never changed and name no person.
 */
export const JournalEntry = defineEntity({
  name: 'JournalEntry',
  tableName: 'journal_entry',
  properties: {
    position: p.bigint('number').autoincrement().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    orderId: p.text(),
    cause: p.text().$type<JournalCause>(),
    /** The settlement, the refund, or the provider's id of the dispute. */
    causeId: p.text(),
    debit: p.enum(journalAccounts),
    credit: p.enum(journalAccounts),
    amount: p.bigint('number').check('amount > 0'),
    currency: p.text(),
    postedAt: p.datetime(3),
  },
  indexes: [
    { name: 'journal_entry_of_unit', properties: ['businessUnitId', 'postedAt', 'position'] },
    { name: 'journal_entry_by_time', properties: ['postedAt'] },
    { name: 'journal_entry_by_cause', properties: ['causeId'] },
  ],
  triggers: [
    {
      // The clock of a promoted server may be behind by more than the margin of closing.
      name: 'open_day',
      timing: 'before',
      events: ['insert'],
      body: `new.posted_at := greatest(new.posted_at, (select (max(d.day)::date + 1)::timestamp at time zone 'UTC' from commerce.journal_day d)); return new;`,
    },
    {
      name: 'immutable',
      timing: 'before',
      events: ['update', 'delete'],
      body: `raise exception 'entries of the journal are never changed';`,
    },
  ],
});
