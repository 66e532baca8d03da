import type { reserveSeats, SaleBlock } from '@event-api/contracts/internal/reservations';
import type { z } from 'zod';
import {
  approvalNeedsFreeOrder,
  attendeeRegistered,
  codeInvalid,
  codeNotApplicable,
  codeUsesExceeded,
  eventArchived,
  malformed,
  needsApproval,
  notOnSale,
  notRegistered,
  orderTooLarge,
  orderTooSmall,
  soldOut,
  tooManyHolds,
  tooManySeats,
  unitsSoldOut,
} from '../errors.ts';
import {
  fieldOfItem,
  fieldOfSeat,
  fieldOfUnregistered,
  itemOfSeat,
  type Offer,
  type OrderDraft,
} from '../orders/lines.rules.ts';
import {
  addonBlockMessage,
  approvalNeedsFreeOrderMessage,
  itemBlockMessage,
  orderLimitMessage,
  soldOutMessage,
  tooManyHoldsMessage,
  tooManySeatsMessage,
  typeBlockMessage,
  typeNameOf,
  unitsSoldOutMessage,
  usesExceededMessage,
} from './refusal-messages.ts';
import type { ItemBlock } from './sale.rules.ts';

export type ReserveResult = z.output<(typeof reserveSeats.schema.response)[200]>;

export type ReserveRefusal = Exclude<ReserveResult, { outcome: 'reserved' | 'already_registered' }>;

/** A validated order and the item, if any, that commerce finds not on sale. */
export interface CheckedDraft {
  draft: OrderDraft;
  offer: Offer;
  block: ItemBlock | null;
}

/**
 * Maps a rejection by registration to an error of the order. An item that commerce finds not on
 * sale is reported before codes and seats. Null if only the id of the reservation is closed.
 */
export function refusalOf(result: ReserveRefusal, checked: CheckedDraft): Error | null {
  const { lines } = checked.draft;
  if (result.outcome === 'attendee_registered') {
    return attendeeRegistered(fieldOfSeat(lines, result.seat));
  }
  switch (result.reason) {
    case 'NOT_FOUND':
      return malformed([
        {
          field: `${fieldOfItem(itemOfSeat(lines, result.seat))}.itemId`,
          issue: 'does not name an item of this event',
          code: 'not_found',
        },
      ]);
    case 'EVENT_ARCHIVED':
      return eventArchived();
    case 'NOT_REGISTERED':
      return notRegistered(fieldOfUnregistered(checked.draft.addons, result));
    case 'NOT_ON_SALE':
      return typeNotOnSale(checked, result);
    case 'ADDON_NOT_ON_SALE': {
      const { name, field, line } = addonOf(checked, result.unit);
      return checked.block
        ? itemNotOnSale(checked.block)
        : notOnSale(addonBlockMessage(line, name, result.block), field);
    }
    case 'CLOSED':
      return null;
    default:
      return checked.block ? itemNotOnSale(checked.block) : refusalOfReservation(checked, result);
  }
}

type LateRefusal = Extract<
  ReserveRefusal,
  {
    reason:
      | 'CODE_INVALID'
      | 'CODE_FITS_NOTHING'
      | 'CODE_USES_EXCEEDED'
      | 'TOO_MANY_HOLDS'
      | 'TOO_MANY_SEATS'
      | 'SOLD_OUT'
      | 'ADDON_SOLD_OUT'
      | 'BELOW_ORDER_MINIMUM'
      | 'ABOVE_ORDER_MAXIMUM';
  }
>;

function refusalOfReservation(checked: CheckedDraft, result: LateRefusal): Error {
  const { draft, offer } = checked;
  switch (result.reason) {
    case 'CODE_INVALID':
      return codeInvalid();
    case 'CODE_FITS_NOTHING':
      return codeNotApplicable();
    case 'CODE_USES_EXCEEDED': {
      const { usesLeft, usesRequested } = result;
      return codeUsesExceeded(usesExceededMessage(usesLeft, usesRequested), usesLeft);
    }
    case 'TOO_MANY_HOLDS':
      return tooManyHolds(tooManyHoldsMessage(result.limit), result.limit);
    case 'TOO_MANY_SEATS': {
      const { limit, seatsLeft } = result;
      return tooManySeats(tooManySeatsMessage(limit, seatsLeft), { limit, seatsLeft });
    }
    case 'SOLD_OUT': {
      const { seat, seatsLeft, seatsRequested } = result;
      const name = typeNameOf(offer, draft.seats[seat]?.ticketTypeId);
      const field = fieldOfItem(itemOfSeat(draft.lines, seat));
      return soldOut(soldOutMessage(name, seatsLeft, seatsRequested), { field, seatsLeft });
    }
    case 'ADDON_SOLD_OUT': {
      const { unit, unitsLeft, unitsRequested } = result;
      const { name, field } = addonOf(checked, unit);
      const message = unitsSoldOutMessage(name, unitsLeft, unitsRequested);
      return unitsSoldOut(message, { field, unitsLeft });
    }
    case 'BELOW_ORDER_MINIMUM':
    case 'ABOVE_ORDER_MAXIMUM': {
      const { item, field } = limitedItemOf(checked, result);
      const message = orderLimitMessage(item, result.reason, result);
      const refuse = result.reason === 'BELOW_ORDER_MINIMUM' ? orderTooSmall : orderTooLarge;
      return refuse(message, { field, limit: result.limit });
    }
  }
}

/** The add-on of an entry of `addonUnits`, and its line. */
function addonOf({ draft, offer }: CheckedDraft, unit: number) {
  const { addonId = '', line = 0 } = draft.addons[unit] ?? {};
  const name = offer.addons.get(addonId)?.name ?? '';
  return { name, field: fieldOfItem(line), line: draft.lines[line] };
}

function limitedItemOf(
  checked: CheckedDraft,
  { seat, unit }: { seat?: number | undefined; unit?: number | undefined },
): { item: string; field: string } {
  if (unit !== undefined) {
    const { name, field } = addonOf(checked, unit);
    return { item: `the add-on "${name}"`, field };
  }
  const { draft, offer } = checked;
  const name = typeNameOf(offer, draft.seats[seat ?? 0]?.ticketTypeId);
  return {
    item: `the ticket type "${name}"`,
    field: fieldOfItem(itemOfSeat(draft.lines, seat ?? 0)),
  };
}

/** 412: an add-on or a bundle of the order is not on sale. */
export const itemNotOnSale = (block: ItemBlock): Error =>
  notOnSale(itemBlockMessage(block), fieldOfItem(block.item));

/** 412: the order costs something, and the ticket type of this seat requires approval. */
export const approvalRequired = (checked: CheckedDraft, seat: number): Error =>
  typeNotOnSale(checked, { seat, block: 'requires_approval' });

function typeNotOnSale(
  { draft: { lines, seats }, offer }: CheckedDraft,
  { seat, block }: { seat: number; block: SaleBlock },
): Error {
  const item = itemOfSeat(lines, seat);
  const name = typeNameOf(offer, seats[seat]?.ticketTypeId);
  const field = fieldOfItem(item);
  const isFree = offer.types.get(seats[seat]?.ticketTypeId ?? '')?.priceAmount === 0;
  if (block === 'requires_approval' && isFree) {
    return approvalNeedsFreeOrder(approvalNeedsFreeOrderMessage(name), field);
  }
  const message = typeBlockMessage(lines[item], name, block);
  return block === 'requires_approval' ? needsApproval(message, field) : notOnSale(message, field);
}
