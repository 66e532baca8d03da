import { RefundPolicy as RefundPolicyContract } from '@event-api/contracts/http/refund-policies';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { viewOf } from '@event-api/platform/http/record-view';
import { RefundPolicy } from './refund-policy.entity.ts';

const columns = columnsOf(RefundPolicy, 'r', { omit: ['eventId', 'businessUnitId'] });

/** A refund policy as operators and services read it. */
export type RefundPolicyRow = RowOf<typeof columns>;

// Reads from the event, to distinguish an event without a policy from an unknown event.
const policyOfEvent = statement<{ [Name in keyof RefundPolicyRow]: RefundPolicyRow[Name] | null }>(
  'refund_policy_of_event',
  `select ${columns.sql}
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
  const { text, refundableUntil, bands, automatic } = row;
  if (text === null || bands === null || automatic === null) return null;
  return { text, refundableUntil, bands, automatic };
}

const types = statement<{ id: string }>(
  'refund_policy_ticket_types',
  `select t.id from catalog.ticket_type t
   where t.business_unit_id = $1 and t.event_id = $2 and t.id = any($3)`,
);

/** The ids that are ticket types of the event. */
export async function findTicketTypeIds(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.query(types, [businessUnitId, eventId, ids]);
  return new Set(rows.map(({ id }) => id));
}

const policyView = viewOf(RefundPolicyContract, columns);

/** The response body of a refund policy; null if the event has none. */
export const refundPolicyView = (row: RefundPolicyRow | null) => row && policyView(row);
