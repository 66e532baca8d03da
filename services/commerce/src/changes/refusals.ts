import {
  eventArchived,
  eventCancelled,
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
    case 'event_cancelled':
      return eventCancelled();
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
    case 'unknown_addon':
      return addonIssue(refusal.index, 'itemIndex', 'must be the index of an add-on of this order');
    case 'wrong_recipient': {
      const issue = refusal.isNamed
        ? 'must be one of the registrationIds of the item'
        : 'must be left out: the add-on is for the buyer';
      return addonIssue(refusal.index, 'registrationId', issue);
    }
    case 'too_many_units': {
      const issue =
        refusal.left === 0
          ? 'must be left out: no unit of its recipient can be cancelled'
          : `must be at most ${refusal.left}`;
      return addonIssue(refusal.index, 'quantity', issue, 'too_big');
    }
    case 'seat_cancelled':
      return seatCancelled(refusal.seatId, fieldOfSeat(refusal.index));
  }
}

const fieldOfSeat = (index: number): string => `cancelSeats[${index}]`;

const addonIssue = (index: number, field: string, issue: string, code = 'not_found'): Error =>
  malformed([{ field: `cancelAddons[${index}].${field}`, issue, code }]);
