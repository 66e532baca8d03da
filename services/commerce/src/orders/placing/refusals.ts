import type { claimSeats } from '@event-api/contracts/internal/seats';
import { notFound } from '@event-api/platform/errors';
import type { z } from 'zod';
import {
  attendeeRegistered,
  codeFitsNothing,
  codeInvalid,
  eventArchived,
  malformed,
  notOnSale,
  notRegistered,
  soldOut,
} from '../../errors.ts';
import { type Expanded, fieldOfSeat, itemOfSeat } from './rules.ts';

export type ClaimAnswer = z.output<(typeof claimSeats.schema.response)[200]>;

type Refusal = Exclude<ClaimAnswer, { outcome: 'claimed' | 'already_registered' }>;

/**
 * Registration's refusal of a claim, in the words of the order; what commerce judges itself comes before codes and seats.
 * Null where nothing is refused but the claim's id, because a claim of that name is over.
 */
export function refusalOf(answer: Refusal, { lines, isOnSale }: Expanded): Error | null {
  if (answer.outcome === 'attendee_registered') {
    return attendeeRegistered(fieldOfSeat(lines, answer.seat));
  }
  switch (answer.reason) {
    case 'NOT_FOUND':
      if (answer.seat === null) return notFound();
      return malformed([
        {
          field: `items[${itemOfSeat(lines, answer.seat)}].itemId`,
          issue: 'is nothing that this event sells',
          code: 'not_found',
        },
      ]);
    case 'EVENT_ARCHIVED':
      return eventArchived();
    case 'NOT_REGISTERED':
      return notRegistered();
    case 'NOT_ON_SALE':
      return notOnSale();
    case 'CODE_INVALID':
      return isOnSale ? codeInvalid() : notOnSale();
    case 'CODE_FITS_NOTHING':
      return codeFitsNothing();
    case 'SOLD_OUT':
      return isOnSale ? soldOut() : notOnSale();
    case 'CLOSED':
      return null;
  }
}
