import type { MovementKind } from '@event-api/contracts/operator/ledger';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

/** What the journal has of an object at the provider. */
export interface JournalMovement {
  kind: MovementKind;
  objectId: string;
}

// A refund that several refunds of an order were paid by is one object.
const ofDay = statement<JournalMovement>(
  'reconciliation_journal_of_day',
  `with posted as materialized (
     select j.cause, j.cause_id from commerce.journal_entry j where j.posted_at >= $2 and j.posted_at < $3
   )
   select p.cause as kind, s.provider_payment_id as "objectId"
   from posted p join commerce.settlement s on s.id = p.cause_id
   where p.cause = 'charge' and (s.provider = $1) is true
   union
   select p.cause, coalesce(r.provider_refund_id, r.id)
   from posted p join commerce.refund r on r.id = p.cause_id
   join commerce.settlement s on s.id = r.settlement_id
   where p.cause in ('refund', 'refund_returned') and (s.provider = $1) is true
   union
   select p.cause, p.cause_id
   from posted p join commerce.dispute d on d.provider = $1 and d.provider_dispute_id = p.cause_id
   where p.cause in ('dispute', 'dispute_returned')`,
);

/** What was posted in a period for an account, one row per object and kind. */
export const listPosted = (
  db: Db,
  provider: string,
  { from, before }: { from: Date; before: Date },
): Promise<JournalMovement[]> => db.query(ofDay, [provider, from, before]);

export interface JournalSum extends JournalMovement {
  currency: string;
  amount: number;
  orderId: string;
  businessUnitId: string;
}

const facts = `j.currency, sum(j.amount)::bigint as amount, min(j.order_id) as "orderId", min(j.business_unit_id) as "businessUnitId"`;

const sums = statement<JournalSum>(
  'reconciliation_journal_sums',
  `select j.cause as kind, s.provider_payment_id as "objectId", ${facts}
   from commerce.settlement s join commerce.journal_entry j on j.cause_id = s.id and (j.cause = 'charge') is true
   where s.provider = $1 and s.provider_payment_id = any($2) group by 1, 2, 3
   union all
   select j.cause, r.provider_refund_id, ${facts}
   from commerce.refund r join commerce.settlement s on s.id = r.settlement_id and (s.provider = $1) is true
   join commerce.journal_entry j on j.cause_id = r.id and (j.cause in ('refund', 'refund_returned')) is true
   where r.provider_refund_id = any($2) group by 1, 2, 3
   union all
   select j.cause, d.provider_dispute_id, ${facts}
   from commerce.dispute d join commerce.journal_entry j on j.cause_id = d.provider_dispute_id
     and (j.cause in ('dispute', 'dispute_returned')) is true
   where d.provider = $1 and d.provider_dispute_id = any($2) group by 1, 2, 3`,
);

/** What the journal has moved of some objects of an account, on any day. */
export const sumPosted = (db: Db, provider: string, objectIds: string[]): Promise<JournalSum[]> =>
  db.query(sums, [provider, objectIds]);

const payments = statement<{ paymentId: string }>(
  'reconciliation_payments',
  `select s.provider_payment_id as "paymentId" from commerce.settlement s
   where s.provider = $1 and s.provider_payment_id = any($2)`,
);

/** Those payments of an account that are recorded here. */
export const findKnownPayments = async (
  db: Db,
  provider: string,
  paymentIds: string[],
): Promise<string[]> =>
  (await db.query(payments, [provider, paymentIds])).map(({ paymentId }) => paymentId);
