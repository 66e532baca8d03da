// The bodies of the triggers that post entries in the transaction that moves the money.

/** The beginning of a statement that posts entries. */
export const insertEntries = `insert into commerce.journal_entry (business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at)`;

/** Whether an order has received the payment of the settlement in this statement. */
export const isReceived = `new.order_id is not null and new.state in ('accepted', 'mismatch', 'surplus', 'late') and (tg_op = 'INSERT' or old.state = 'received')`;

/**
 * The body of the trigger of settlements: a payment that an order has received is posted once, and
 * the tax in it.
 */
export const postCharge = `if ${isReceived} then ${insertEntries} select o.business_unit_id, o.event_id, o.id, x.cause, new.id, x.debit, x.credit, x.amount, new.currency, clock_timestamp() from commerce.customer_order o, (values (1, 'charge', 'provider', 'sales', new.amount), (2, 'tax', 'sales', 'tax', new.tax_amount)) x(n, cause, debit, credit, amount) where o.id = new.order_id and x.amount > 0 order by x.n; end if; return null;`;

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
export const postRefund = `${insertEntries} select new.business_unit_id, new.event_id, new.order_id, case when x.amount > 0 then x.cause else x.reversal end, new.id, case when x.amount > 0 then x.debit else x.credit end, case when x.amount > 0 then x.credit else x.debit end, abs(x.amount), new.currency, clock_timestamp() from (values (1, ${changeOf(owed)}, 'refund_due', 'refund_withdrawn', 'sales', 'refunds_due'), (2, ${changeOf("'done'")}, 'refund', 'refund_returned', 'refunds_due', 'provider'), (3, ${changeOf(owed, 'tax_amount')}, 'tax_returned', 'tax', 'tax', 'sales')) x(n, amount, cause, reversal, debit, credit) where x.amount <> 0 order by x.n; return null;`;

/** What a dispute takes of the money at the provider, before and after a statement. */
const withheld = (row: 'old' | 'new') =>
  `coalesce(case when ${row}.order_id is not null and ${row}.status in ('needs_response', 'under_review', 'lost') then ${row}.amount end, 0)`;

/**
 * The body of the trigger of disputes. The provider takes the disputed amount of the payment of an
 * order, keeps it away after a lost dispute, and returns it after a won one.
 */
export const postDispute = `${insertEntries} select new.business_unit_id, new.event_id, new.order_id, case when x.amount > 0 then 'dispute' else 'dispute_returned' end, new.provider_dispute_id, case when x.amount > 0 then 'dispute' else 'provider' end, case when x.amount > 0 then 'provider' else 'dispute' end, abs(x.amount), new.currency, clock_timestamp() from (values (${withheld('new')} - ${withheld('old')})) x(amount) where x.amount <> 0; return null;`;
