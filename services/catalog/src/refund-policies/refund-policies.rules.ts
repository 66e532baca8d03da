import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { RefundBand } from '@event-api/contracts/http/refund-policies';

export interface RefundPolicyState {
  text: string;
  refundableUntil: Date | null;
  bands: readonly RefundBand[];
  automatic: boolean;
}

export type RefundPolicyDecision =
  | { outcome: 'unchanged' | 'event_archived' | 'replaced' }
  | { outcome: 'invalid'; issues: FieldIssue[] };

/**
 * Decides what setting this policy does. Its bands name ticket types of the event: `typeIds` are
 * those that exist.
 */
export function decideRefundPolicy(
  current: RefundPolicyState | null,
  next: RefundPolicyState,
  { eventIsArchived, typeIds }: { eventIsArchived: boolean; typeIds: ReadonlySet<string> },
): RefundPolicyDecision {
  const issues = next.bands.flatMap(({ ticketTypeIds }, n) =>
    ticketTypeIds.flatMap((id, index): FieldIssue[] =>
      typeIds.has(id)
        ? []
        : [
            {
              field: `bands[${n}].ticketTypeIds[${index}]`,
              issue: 'does not name a ticket type of this event',
              code: 'not_found',
            },
          ],
    ),
  );
  if (issues.length > 0) return { outcome: 'invalid', issues };
  if (current !== null && keyOf(current) === keyOf(next)) return { outcome: 'unchanged' };
  return { outcome: eventIsArchived ? 'event_archived' : 'replaced' };
}

/** The policy as text: equal policies have equal texts. */
const keyOf = ({ text, refundableUntil, bands, automatic }: RefundPolicyState): string =>
  JSON.stringify([
    text,
    refundableUntil,
    automatic,
    bands.map((band) => [
      band.daysBeforeStart,
      band.until,
      band.percent,
      band.fixedFee,
      band.ticketTypeIds,
    ]),
  ]);
