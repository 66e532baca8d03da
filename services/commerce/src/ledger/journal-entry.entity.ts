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

const insert = `insert into commerce.journal_entry (business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at)`;

/**
 * The body of the trigger of settlements: a payment that an order has received is posted once, and
 * the tax in it.
 */
export const postCharge = `if new.order_id is not null and new.state in ('accepted', 'mismatch', 'surplus', 'late') and (tg_op = 'INSERT' or old.state = 'received') then ${insert} select o.business_unit_id, o.event_id, o.id, x.cause, new.id, x.debit, x.credit, x.amount, new.currency, clock_timestamp() from commerce.customer_order o, (values (1, 'charge', 'provider', 'sales', new.amount), (2, 'tax', 'sales', 'tax', new.tax_amount)) x(n, cause, debit, credit, amount) where o.id = new.order_id and x.amount > 0 order by x.n; end if; return null;`;

/** What a refund promises or has paid, before and after a statement. */
const amountOf = (row: 'old' | 'new', states: string, column: string) =>
  `coalesce(case when ${row}.state in (${states}) then ${row}.${column} end, 0)`;
const changeOf = (states: string, column = 'amount') =>
  `${amountOf('new', states, column)} - ${amountOf('old', states, column)}`;
const owed = "'due', 'pending', 'done'";

/**
 * The body of the trigger of refunds. A refund that is due or pending is owed; one that has failed
 * or is withdrawn is not. What becomes owed, its tax and what is paid are posted, and each reversal.
 */
export const postRefund = `${insert} select new.business_unit_id, new.event_id, new.order_id, case when x.amount > 0 then x.cause else x.reversal end, new.id, case when x.amount > 0 then x.debit else x.credit end, case when x.amount > 0 then x.credit else x.debit end, abs(x.amount), new.currency, clock_timestamp() from (values (1, ${changeOf(owed)}, 'refund_due', 'refund_withdrawn', 'sales', 'refunds_due'), (2, ${changeOf("'done'")}, 'refund', 'refund_returned', 'refunds_due', 'provider'), (3, ${changeOf(owed, 'tax_amount')}, 'tax_returned', 'tax', 'tax', 'sales')) x(n, amount, cause, reversal, debit, credit) where x.amount <> 0 order by x.n; return null;`;

/** What a dispute takes of the money at the provider, before and after a statement. */
const withheld = (row: 'old' | 'new') =>
  `coalesce(case when ${row}.order_id is not null and ${row}.status in ('needs_response', 'under_review', 'lost') then ${row}.amount end, 0)`;

/**
 * The body of the trigger of disputes. The provider takes the disputed amount of the payment of an
 * order, keeps it away after a lost dispute, and returns it after a won one.
 */
export const postDispute = `${insert} select new.business_unit_id, new.event_id, new.order_id, case when x.amount > 0 then 'dispute' else 'dispute_returned' end, new.provider_dispute_id, case when x.amount > 0 then 'dispute' else 'provider' end, case when x.amount > 0 then 'provider' else 'dispute' end, abs(x.amount), new.currency, clock_timestamp() from (values (${withheld('new')} - ${withheld('old')})) x(amount) where x.amount <> 0; return null;`;
