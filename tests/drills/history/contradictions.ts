import { type Acknowledgement, explainMismatch } from './acknowledgements.ts';
import type { History } from './history.ts';

const queries: Record<Acknowledgement['kind'], string> = {
  registration: 'select id, status from registration.registration',
  // Each registration once, in the order of the seats, without open ones. The registration that receives the add-ons
  // comes last.
  order: `select o.id, o.status, o.total_amount::int as "totalAmount", o.currency, o.refund_policy as "refundPolicy", coalesce(
      (select array_agg(once.id order by once.rank) from (
        select found.id, min(found.rank) as rank from (
          select x.id, l.position * 1000 + x.place as rank from commerce.order_line l,
            unnest(l.registration_ids) with ordinality x(id, place) where l.order_id = o.id
          union all select o.addon_registration_id, 1000000 where o.addon_registration_id is not null
        ) found where found.id not like 'seat\\_%' group by found.id) once), '{}') as "registrationIds"
    from commerce.customer_order o`,
  checkin:
    'select id, registration_id as "registrationId", subject_id as "subjectId" from onsite.checkin',
  code: 'select id, code, max_uses as "maxUses" from registration.redemption_code',
  refund: 'select id, amount::int as amount, state from commerce.refund',
  change: 'select id, state, quote from commerce.order_change',
  'refused change': "select id from commerce.order_change where state <> 'quoted'",
  payment: 'select provider_payment_id as id, order_id as "orderId" from commerce.settlement',
  'rejected notification': 'select provider_notification_id as id from commerce.settlement',
};

/** Runs SQL where its tables are. */
export type Query = <Row = Record<string, unknown>>(text: string) => Promise<Row[]>;

/** An acknowledgement that the databases contradict, and why. */
export interface Contradiction {
  acknowledgement: Acknowledgement;
  why: string;
}

/**
 * Compares the acknowledgements of a kind with the records in the databases, without those that a
 * restore has undone. Errors: PostgreSQL's.
 */
export async function contradictionsOf(
  kind: Acknowledgement['kind'],
  sql: Query,
  { acknowledgements, lost, undone }: History,
): Promise<Contradiction[]> {
  // Those that are acknowledged later may not be in the rows.
  const asked = acknowledgements.filter(
    (each) => each.kind === kind && !lost.has(each.id) && !undone.has(each),
  );
  const rows = await sql<{ id: string }>(queries[kind]);
  const found = new Map(rows.map((row) => [row.id, { kind, ...row } as Acknowledgement]));
  return asked.flatMap((acknowledgement) => {
    const why = explainMismatch(acknowledgement, found.get(acknowledgement.id));
    return why === null ? [] : [{ acknowledgement, why }];
  });
}
