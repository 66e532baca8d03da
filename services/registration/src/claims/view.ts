import type { Claim, claimSeats, fulfilClaim } from '@event-api/contracts/internal/seats';
import type { z } from 'zod';
import type { Fulfilment } from '../admission/rules.ts';
import type { ClaimDecision } from './rules.ts';

/** What was decided on a claim, as another service is told it. */
export function claimView(
  decision: ClaimDecision,
  seats: Claim['seats'],
): z.input<(typeof claimSeats.schema.response)[200]> {
  if (decision.outcome !== 'claimed') return decision;
  const { claim, code, buyerRegistrationId } = decision;
  return {
    outcome: 'claimed',
    expiresAt: claim.expiresAt?.toISOString() ?? '',
    redemptionCode: code?.code ?? null,
    discount: code?.discount ?? null,
    discountedTicketTypeId: code?.discount ? code.ticketTypeId : null,
    needsApproval: seats.some(({ ticketTypeId }) => !claim.seats.has(ticketTypeId)),
    buyerRegistrationId,
  };
}

/** What a fulfilment has made, as another service is told it. */
export function fulfilmentView(
  decision:
    | { outcome: 'fulfilled'; fulfilment: Fulfilment }
    | { outcome: 'gone' }
    | { outcome: 'released' },
): z.input<(typeof fulfilClaim.schema.response)[200]> {
  return decision.outcome === 'fulfilled'
    ? { outcome: 'fulfilled', ...decision.fulfilment }
    : { outcome: decision.outcome };
}
