import type { TypeRefusal } from '@event-api/contracts/internal/reservations';
import {
  changeTooLarge,
  changeTooSmall,
  eventArchived,
  eventCancelled,
  eventEnded,
  malformed,
  orderBusy,
  orderNotPaid,
  priceHigher,
  quoteExpired,
  seatCancelled,
  typeNotOnSale,
  typeSoldOut,
} from '../errors.ts';
import type { ChangeRequest } from './effect.rules.ts';
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
      return malformed(unknownSeats(refusal.list, refusal.indexes));
    case 'unknown_types':
      return malformed([
        ...unknownSeats('changeTypes', refusal.seats),
        ...refusal.types.map((index) => ({
          field: fieldOfType(index),
          issue: 'must be the id of a ticket type of this event',
          code: 'not_found',
        })),
      ]);
    case 'same_type': {
      const field = fieldOfType(refusal.index);
      return malformed([{ field, issue: 'must be another ticket type', code: 'invalid_value' }]);
    }
    case 'price_higher':
      return priceHigher(refusal.seatId, fieldOfType(refusal.index));
    case 'unknown_addon':
      return addonIssue(refusal.index, 'itemIndex', 'must be the index of an add-on of this order');
    case 'wrong_recipient': {
      const issue = refusal.isNamed
        ? 'must be one of the registrationIds of the item'
        : 'must be left out: the add-on is for the buyer';
      return addonIssue(refusal.index, 'registrationId', issue);
    }
    case 'too_many_units':
      return addonIssue(refusal.index, 'quantity', `must be at most ${refusal.left}`, 'too_big');
    case 'units_of_seat':
      return entryIssue(
        refusal.index,
        'must be left out: the seat of its recipient is cancelled, and the add-ons with it',
      );
    case 'no_units':
      return entryIssue(refusal.index, 'must be left out: its recipient has no unit that is left');
    case 'seat_cancelled':
      return seatCancelled(refusal.seatId, fieldOfSeat(refusal.list, refusal.index));
  }
}

/** The error of a change whose ticket types registration has refused. */
export function typeRefused(refusal: TypeRefusal, { changeTypes = [] }: ChangeRequest): Error {
  switch (refusal.reason) {
    case 'EVENT_ARCHIVED':
      return eventArchived();
    case 'EVENT_ENDED':
      return eventEnded();
    case 'CLOSED':
      return quoteExpired();
    case 'BELOW_ORDER_MINIMUM':
      return changeTooSmall(refusal);
    case 'ABOVE_ORDER_MAXIMUM':
      return changeTooLarge(refusal);
  }
  const { seatId = '', ticketTypeId = '' } = changeTypes[refusal.seat] ?? {};
  switch (refusal.reason) {
    case 'SEAT_CANCELLED':
      return seatCancelled(seatId, 'quoteId');
    case 'NOT_ON_SALE':
      return typeNotOnSale({ seatId, ticketTypeId, block: refusal.block });
    case 'SOLD_OUT':
      return typeSoldOut({ seatId, ticketTypeId });
  }
}

const unknownSeats = (list: 'cancelSeats' | 'changeTypes', indexes: readonly number[]) =>
  indexes.map((index) => ({
    field: fieldOfSeat(list, index),
    issue: 'must be the id of a seat of this order',
    code: 'not_found',
  }));

const fieldOfSeat = (list: 'cancelSeats' | 'changeTypes', index: number): string =>
  list === 'cancelSeats' ? `cancelSeats[${index}]` : `changeTypes[${index}].seatId`;

const fieldOfType = (index: number): string => `changeTypes[${index}].ticketTypeId`;

const entryIssue = (index: number, issue: string): Error =>
  malformed([{ field: `cancelAddons[${index}]`, issue, code: 'invalid_value' }]);

const addonIssue = (index: number, field: string, issue: string, code = 'not_found'): Error =>
  malformed([{ field: `cancelAddons[${index}].${field}`, issue, code }]);
