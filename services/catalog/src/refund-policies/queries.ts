import type { RefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { notFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { z } from 'zod';

/** The columns of a refund policy that are shown. */
export interface RefundPolicyRow {
  text: string;
  refundableUntil: Date | null;
}

// From the event, so that one without a policy is told from one that is missing.
const policyOfEvent = statement<{ text: string | null; refundableUntil: Date | null }>(
  'refund_policy_of_event',
  `select r.text, r.refundable_until as "refundableUntil"
   from catalog.event e left join catalog.refund_policy r on r.event_id = e.id
   where e.business_unit_id = $1 and e.id = $2`,
);

/** The refund policy of an event, or null where it has none. Errors: 404. */
export async function readRefundPolicy(
  db: Db,
  businessUnitId: string,
  eventId: string,
): Promise<RefundPolicyRow | null> {
  const [row] = await db.query(policyOfEvent, [businessUnitId, eventId]);
  if (!row) throw notFound('event');
  return row.text === null ? null : { text: row.text, refundableUntil: row.refundableUntil };
}

/** A refund policy as operators and other services see it; null where there is none. */
export function refundPolicyView(row: RefundPolicyRow | null): z.input<typeof RefundPolicy> | null {
  if (!row) return null;
  return { text: row.text, refundableUntil: row.refundableUntil?.toISOString() ?? null };
}
