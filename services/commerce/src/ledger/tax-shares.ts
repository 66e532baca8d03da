// The tax in payments and in refunds, which triggers store where a payment or a refund is stored, by
// whatever statement. The journal and credit notes read it there.

/**
 * The body of the trigger of settlements: the payment that pays for an order has the tax of the
 * order in it. One that pays for nothing has none.
 */
export const taxOfPayment = `if new.state = 'accepted' and (tg_op = 'INSERT' or old.state = 'received') then new.tax_amount := coalesce((select o.tax_amount from commerce.customer_order o where o.id = new.order_id and coalesce(o.settlement_id, new.id) = new.id), 0); end if; return new;`;

/** A part of the tax in a payment, in proportion to a part of its amount, rounded half up. */
const shareOf = (amount: string) => `div(2 * ${amount} * x.tax + x.gross, 2 * x.gross)`;

/**
 * What a refund carries of a part `x.tax` of the payment `x.gross` beyond the others: all together
 * carry the share of their sum.
 */
export const beyondOthers = `case when x.others + new.amount > x.gross then ${shareOf('new.amount')} else ${shareOf('(x.others + new.amount)')} - x.others_tax end`;

/**
 * The body of the trigger of refunds. A refund carries the tax by which the share of all refunds of
 * its payment exceeds what the others carry (`taxOfRefund` of the rules), so that refunds of the
 * whole payment carry its whole tax. A refund that is done counts those that are done; any other
 * one also those that are owed. While more is owed than was paid, because the provider has paid
 * back what is on its way, a refund carries its own share. Every statement that changes an amount or
 * a state has locked the order.
 */
export const taxOfRefund = `if tg_op = 'INSERT' or old.amount <> new.amount or (old.state <> new.state and new.state in ('due', 'pending', 'done') and (new.state = 'done' or old.state not in ('due', 'pending'))) then new.tax_amount := coalesce((select least(greatest(${beyondOthers}, 0), new.amount) from (select s.amount::numeric as gross, s.tax_amount::numeric as tax, coalesce(sum(f.amount), 0) as others, coalesce(sum(f.tax_amount), 0) as others_tax from commerce.settlement s left join commerce.refund f on f.order_id = new.order_id and f.settlement_id = s.id and f.id <> new.id and (f.state = 'done' or (new.state <> 'done' and f.state in ('due', 'pending'))) where s.id = new.settlement_id and s.tax_amount > 0 group by s.amount, s.tax_amount) x), 0); end if; return new;`;
