import { normalEmail } from '@event-api/contracts/http/fields';
import type { Claim } from '@event-api/contracts/internal/seats';
import { codeKey } from '../redemption-codes/rules.ts';
import { makePerson } from '../registrations/person.ts';
import type { ClaimRequest } from './rules.ts';

/** A claim as decisions look at it, with somebody on each seat. */
export function claimRequest(claim: Claim, holdMs: number): ClaimRequest {
  return {
    claimId: claim.claimId,
    buyerEmail: normalEmail(claim.buyer.email),
    seats: claim.seats.map(({ ticketTypeId, email, name, inBundle }) => ({
      ticketTypeId,
      inBundle,
      person: makePerson(claim.businessUnitId, { email, name }),
    })),
    addonIds: claim.addonIds,
    codeKey: claim.redemptionCode === null ? null : codeKey(claim.redemptionCode),
    isFree: claim.isFree,
    holdMs,
  };
}

/** The ticket types that a claim is about, each once. */
export const typesOf = (claim: Claim): string[] => [
  ...new Set(claim.seats.map(({ ticketTypeId }) => ticketTypeId)),
];
