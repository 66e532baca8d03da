import type { Claim } from '@event-api/contracts/internal/seats';
import { decideTwice } from '../copies/freshness.ts';
import { knowEvent } from '../copies/require-event.ts';
import type { RegistrationDeps } from '../registrations/create.ts';
import { claimRequest, typesOf } from './request.ts';
import type { ClaimDecision, ClaimRefusal } from './rules.ts';

export interface ClaimDeps extends RegistrationDeps {
  /** How long seats are set aside. */
  holdMs: number;
}

const copyCaused: readonly ClaimRefusal[] = [
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
  const { db, admission, askOwner, holdMs } = deps;
  const { businessUnitId, eventId } = claim;
  const scope = { businessUnitId, eventId };
  await knowEvent(db, askOwner, businessUnitId, eventId);
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
