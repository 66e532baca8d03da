import type { setRefundPolicy as setRefundPolicyOperation } from '@event-api/contracts/operator/refund-policies';
import { recordAudit } from '@event-api/platform/audit/write';
import { invalidArgument } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import type { z } from 'zod';
import { archivedIsFinal } from '../errors.ts';
import { bumpEventVersion, lockEvent } from '../events/events.queries.ts';
import {
  findTicketTypeIds,
  type RefundPolicyRow,
  readRefundPolicy,
} from './refund-policies.queries.ts';
import { decideRefundPolicy } from './refund-policies.rules.ts';
import { RefundPolicy } from './refund-policy.entity.ts';

/**
 * Sets the refund policy of an event. Setting an identical policy writes nothing. Errors: 404; 400
 * for a band of an unknown ticket type, and for any change in an archived event. Locks: the event's
 * row. Emits: the event.
 */
export async function setRefundPolicy(
  db: Database,
  input: z.output<typeof setRefundPolicyOperation.schema.body>,
): Promise<RefundPolicyRow> {
  const { text, refundableUntil, bands, automatic, ...scope } = input;
  const next = {
    text,
    refundableUntil,
    bands: bands.map((band) => ({ ...band, until: band.until?.toISOString() ?? null })),
    automatic,
  };
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'write');
    const current = await readRefundPolicy(tx, scope);
    const named = next.bands.flatMap(({ ticketTypeIds }) => ticketTypeIds);
    const typeIds = await findTicketTypeIds(tx, scope, named);
    const eventIsArchived = event.status === 'archived';
    const decision = decideRefundPolicy(current, next, { eventIsArchived, typeIds });
    switch (decision.outcome) {
      case 'invalid':
        throw invalidArgument(decision.issues);
      case 'event_archived':
        throw archivedIsFinal();
      case 'replaced':
        await tx.em.upsert(RefundPolicy, { ...scope, ...next });
        await bumpEventVersion(tx, scope);
        recordAudit(tx);
        break;
      case 'unchanged':
    }
    return next;
  });
}
