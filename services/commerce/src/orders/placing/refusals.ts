import type { claimSeats } from '@event-api/contracts/internal/seats';
import type { z } from 'zod';
import {
  attendeeRegistered,
  codeFitsNothing,
  codeInvalid,
  codeUsesExceeded,
  eventArchived,
  malformed,
  notOnSale,
  notRegistered,
  soldOut,
  tooManyHolds,
  tooManySeats,
} from '../../errors.ts';
import {
  itemBlockMessage,
  soldOutMessage,
  tooManyHoldsMessage,
  tooManySeatsMessage,
  typeBlockMessage,
  typeNameOf,
  usesExceededMessage,
} from './messages.ts';
import { type Expanded, fieldOfItem, fieldOfSeat, itemOfSeat, type Offer } from './rules.ts';
import type { ItemBlock } from './sale/rules.ts';

export type ClaimAnswer = z.output<(typeof claimSeats.schema.response)[200]>;

export type ClaimRefusal = Exclude<ClaimAnswer, { outcome: 'claimed' | 'already_registered' }>;

/** An order that is about to be placed, and what commerce itself has found not to be on sale. */
export interface Draft {
  expanded: Expanded;
  offer: Offer;
  block: ItemBlock | null;
}

/**
 * Registration's refusal of a claim, in the words of the order; what commerce decides itself comes before codes and seats.
 * Null where nothing is refused but the claim's id, because a claim of that name is over.
 */
export function refusalOf(answer: ClaimRefusal, draft: Draft): Error | null {
  const { lines } = draft.expanded;
  if (answer.outcome === 'attendee_registered') {
    return attendeeRegistered(fieldOfSeat(lines, answer.seat));
  }
  switch (answer.reason) {
    case 'NOT_FOUND':
      return malformed([
        {
          field: `${fieldOfItem(itemOfSeat(lines, answer.seat))}.itemId`,
          issue: 'does not name an item of this event',
          code: 'not_found',
        },
      ]);
    case 'EVENT_ARCHIVED':
      return eventArchived();
    case 'NOT_REGISTERED':
      return notRegistered();
    case 'NOT_ON_SALE':
      return typeNotOnSale(draft, answer);
    case 'CODE_FITS_NOTHING':
      return codeFitsNothing();
    case 'CLOSED':
      return null;
    default:
      return draft.block ? itemNotOnSale(draft.block) : refusalOfClaim(draft, answer);
  }
}

type LateRefusal = Extract<
  ClaimRefusal,
  {
    reason:
      | 'CODE_INVALID'
      | 'CODE_USES_EXCEEDED'
      | 'TOO_MANY_HOLDS'
      | 'TOO_MANY_SEATS'
      | 'SOLD_OUT';
  }
>;

function refusalOfClaim({ expanded, offer }: Draft, answer: LateRefusal): Error {
  switch (answer.reason) {
    case 'CODE_INVALID':
      return codeInvalid();
    case 'CODE_USES_EXCEEDED': {
      const { usesLeft, usesRequested } = answer;
      return codeUsesExceeded(usesExceededMessage(usesLeft, usesRequested), usesLeft);
    }
    case 'TOO_MANY_HOLDS':
      return tooManyHolds(tooManyHoldsMessage(answer.limit), answer.limit);
    case 'TOO_MANY_SEATS': {
      const { limit, seatsLeft } = answer;
      return tooManySeats(tooManySeatsMessage(limit, seatsLeft), { limit, seatsLeft });
    }
    case 'SOLD_OUT': {
      const { seat, seatsLeft, seatsRequested } = answer;
      const name = typeNameOf(offer, expanded.seats[seat]?.ticketTypeId);
      const field = fieldOfItem(itemOfSeat(expanded.lines, seat));
      return soldOut(soldOutMessage(name, seatsLeft, seatsRequested), { field, seatsLeft });
    }
  }
}

/** An add-on or a bundle of the order is not on sale. */
export const itemNotOnSale = (block: ItemBlock): Error =>
  notOnSale(itemBlockMessage(block), fieldOfItem(block.item));

function typeNotOnSale(
  { expanded: { lines, seats }, offer }: Draft,
  { seat, block }: Extract<ClaimRefusal, { reason: 'NOT_ON_SALE' }>,
): Error {
  const item = itemOfSeat(lines, seat);
  const name = typeNameOf(offer, seats[seat]?.ticketTypeId);
  return notOnSale(typeBlockMessage(lines[item], name, block), fieldOfItem(item));
}
