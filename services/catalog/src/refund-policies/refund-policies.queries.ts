import type { RefundPolicy } from '@event-api/contracts/http/refund-policies';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { z } from 'zod';

/** A refund policy as operators and services read it. */
export interface RefundPolicyRow {
  text: string;
  refundableUntil: Date | null;
}

// Reads from the event, to distinguish an event without a policy from an unknown event.
const policyOfEvent = statement<{ text: string | null; refundableUntil: Date | null }>(
  'refund_policy_of_event',
  `select r.text, r.refundable_until as "refundableUntil"
   from catalog.event e left join catalog.refund_policy r on r.event_id = e.id
   where e.business_unit_id = $1 and e.id = $2`,
);

/** Returns the refund policy of an event, or null. Errors: 404. */
export async function readRefundPolicy(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<RefundPolicyRow | null> {
  const [row] = await db.query(policyOfEvent, [businessUnitId, eventId]);
  if (!row) throw notFound('event');
  return row.text === null ? null : { text: row.text, refundableUntil: row.refundableUntil };
}

/** The response body of a refund policy; null if the event has none. */
export function refundPolicyView(row: RefundPolicyRow | null): z.input<typeof RefundPolicy> | null {
  if (!row) return null;
  return { text: row.text, refundableUntil: row.refundableUntil?.toISOString() ?? null };
}
