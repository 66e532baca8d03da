import type { Claim } from '@event-api/contracts/internal/seats';
import { eventRecord } from '@event-api/platform/projections/require-event';
import { decideTwice } from '../copies/freshness.ts';
import type { RegistrationDeps } from '../registrations/create.ts';
import { claimRequest, typesOf } from './request.ts';
import type { ClaimDecision, ClaimRefusal } from './rules.ts';

export interface ClaimDeps extends RegistrationDeps {
  /** How long seats are set aside. */
  holdMs: number;
}

const copyCaused: readonly ClaimRefusal['reason'][] = [
  'NOT_FOUND',
  'EVENT_ARCHIVED',
  'NOT_ON_SALE',
  'SOLD_OUT',
];

/**
 * Sets the seats of an order aside, all of them or none; a claim that is known answers as it did.
 * Errors: 404 for an unknown event; 503. Emits: the seats.
 */
export async function claimSeats(deps: ClaimDeps, claim: Claim): Promise<ClaimDecision> {
  const { admission, askOwner, holdMs } = deps;
  const { businessUnitId, eventId } = claim;
  const scope = { businessUnitId, eventId };
  await askOwner.require(eventRecord(scope));
  const request = claimRequest(claim, holdMs);
  const { answer } = await decideTwice({
    askOwner,
    scope,
    ticketTypeIds: typesOf(claim),
    decide: () => admission.submit<'claim'>(scope, { kind: 'claim', request }),
    restsOnCopies: ({ answer }) =>
      answer.outcome === 'refused' && copyCaused.includes(answer.reason),
  });
  return answer;
}
