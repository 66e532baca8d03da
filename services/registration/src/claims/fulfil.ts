import type { fulfilClaim as fulfilOperation } from '@event-api/contracts/internal/seats';
import { eventRecord } from '@event-api/platform/projections/require-event';
import type { z } from 'zod';
import type { Answers } from '../admission/requests.ts';
import { decideTwice } from '../copies/freshness.ts';
import type { ClaimDeps } from './claim.ts';
import { claimRequest, typesOf } from './request.ts';

type Claim = z.output<typeof fulfilOperation.schema.body>;

/**
 * Turns a claim into registrations, once: a repeat answers the same. One that has run out is taken
 * again, if asked for and possible. Errors: 404 for an unknown event; 503. Emits: the seats.
 */
export async function fulfilClaim(deps: ClaimDeps, claim: Claim): Promise<Answers['fulfil']> {
  const { admission, askOwner, holdMs } = deps;
  const { businessUnitId, eventId, retake } = claim;
  const scope = { businessUnitId, eventId };
  await askOwner.require(eventRecord(scope));
  const request = { ...claimRequest(claim, holdMs), retake };
  const { answer } = await decideTwice({
    askOwner,
    scope,
    ticketTypeIds: typesOf(claim),
    decide: () => admission.submit<'fulfil'>(scope, { kind: 'fulfil', request }),
    // Whether there are seats to take again is the copies' word; whether add-ons find their buyer is not.
    restsOnCopies: ({ answer: { outcome } }) =>
      retake && outcome === 'gone' && claim.seats.length > 0,
  });
  return answer;
}
