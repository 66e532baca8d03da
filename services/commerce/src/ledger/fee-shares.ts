import { insertEntries, isReceived } from './postings.ts';
import { beyondOthers } from './tax-shares.ts';

// The fees of the platform in payments and in refunds, which triggers store and post like taxes.

/** The body of the trigger of settlements: the provider has taken the fee of the page that was paid. */
export const feeOfPayment = `if ${isReceived} then new.fee_amount := coalesce((select least(p.fee_amount, new.amount) from commerce.payment p where p.provider = new.provider and p.currency = new.currency and (p.session_id = new.session_id or (p.id = new.attempt_id and p.session_id is null)) limit 1), 0); end if; return new;`;

/**
 * The body of the trigger of refunds. A refund that is done returns the fee by which the share of all
 * done refunds of its payment exceeds what the others have returned, so that refunds of the whole
 * payment return its whole fee. Every statement that changes an amount or a state has locked the
 * order.
 */
export const feeOfRefund = `if new.state <> 'done' then new.fee_amount := 0; elsif tg_op = 'INSERT' or old.state <> 'done' then new.fee_amount := coalesce((select least(greatest(${beyondOthers}, 0), new.amount) from (select s.amount::numeric as gross, s.fee_amount::numeric as tax, coalesce(sum(f.amount), 0) as others, coalesce(sum(f.fee_amount), 0) as others_tax from commerce.settlement s left join commerce.refund f on f.order_id = new.order_id and f.settlement_id = s.id and f.id <> new.id and f.state = 'done' where s.id = new.settlement_id and s.fee_amount > 0 group by s.amount, s.fee_amount) x), 0); end if; return new;`;

/** The body of the trigger that posts the fee of a payment, once. */
export const postFee = `if new.fee_amount > 0 and ${isReceived} then ${insertEntries} select o.business_unit_id, o.event_id, o.id, 'fee', new.id, 'fee', 'provider', new.fee_amount, new.currency, clock_timestamp() from commerce.customer_order o where o.id = new.order_id; end if; return null;`;

/** The body of the trigger that posts what a refund returns of a fee, and each reversal. */
export const postReturnedFee = `${insertEntries} select new.business_unit_id, new.event_id, new.order_id, case when x.amount > 0 then 'fee_returned' else 'fee' end, new.id, case when x.amount > 0 then 'provider' else 'fee' end, case when x.amount > 0 then 'fee' else 'provider' end, abs(x.amount), new.currency, clock_timestamp() from (values (new.fee_amount - coalesce(old.fee_amount, 0))) x(amount) where x.amount <> 0; return null;`;
