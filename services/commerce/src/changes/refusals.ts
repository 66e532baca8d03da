import {
  eventArchived,
  eventEnded,
  malformed,
  orderBusy,
  orderNotPaid,
  seatCancelled,
} from '../errors.ts';
import type { ChangeRefusal } from './quotes.rules.ts';

/** The error of an order that cannot be changed as requested. */
export function changeRefused(refusal: ChangeRefusal): Error {
  switch (refusal.outcome) {
    case 'event_archived':
      return eventArchived();
    case 'event_ended':
      return eventEnded();
    case 'not_paid':
      return orderNotPaid(refusal.status);
    case 'busy':
      return orderBusy();
    case 'unknown_seats':
      return malformed(
        refusal.indexes.map((index) => ({
          field: fieldOfSeat(index),
          issue: 'must be the id of a seat of this order',
          code: 'not_found',
        })),
      );
    case 'seat_cancelled':
      return seatCancelled(refusal.seatId, fieldOfSeat(refusal.index));
  }
}

const fieldOfSeat = (index: number): string => `cancelSeats[${index}]`;
