import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import type { SaleBlock } from '@event-api/contracts/internal/reservations';
import type { Line, Offer } from '../orders/lines.rules.ts';
import type { ItemBlock } from './sale.rules.ts';

const blockPhrases: Record<SaleBlock, string> = {
  draft: 'is a draft',
  closed: 'is closed',
  archived: 'is archived',
  not_open_yet: 'is not on sale yet',
  sale_ended: 'is no longer on sale',
  requires_approval:
    'requires approval and has a price: register the attendee, and order the seat that the approval offers',
};

const statusPhrase = (status: SaleStatus): string =>
  status === 'open' ? 'is open' : blockPhrases[status];

/** States why the add-on or bundle of a line is not on sale. */
export function itemBlockMessage(block: ItemBlock): string {
  switch (block.kind) {
    case 'addon':
      return `The add-on "${block.name}" ${statusPhrase(block.status)}.`;
    case 'bundle':
      return `The bundle "${block.name}" ${statusPhrase(block.status)}.`;
    case 'bundled_addon':
      return `The bundle "${block.bundle}" contains the add-on "${block.name}", which ${statusPhrase(block.status)}.`;
    case 'empty_bundle':
      return `The bundle "${block.name}" has no items.`;
  }
}

/** States why the ticket type of a seat on `line` is not on sale. */
export function typeBlockMessage(
  line: Line | undefined,
  typeName: string,
  block: SaleBlock,
): string {
  const type = `the ticket type "${typeName}"`;
  return line?.itemType === 'bundle'
    ? `The bundle "${line.name}" contains ${type}, which ${blockPhrases[block]}.`
    : `${capitalized(type)} ${blockPhrases[block]}.`;
}

export const approvalNeedsFreeOrderMessage = (typeName: string): string =>
  `The ticket type "${typeName}" requires approval, so only an order without cost can include it.`;

export const soldOutMessage = (typeName: string, left: number, requested: number): string =>
  left === 0
    ? `The ticket type "${typeName}" has no seats left.`
    : `The ticket type "${typeName}" has ${countOf(left, 'seat')} left, and the order needs ${requested}.`;

export const unitsSoldOutMessage = (addonName: string, left: number, requested: number): string =>
  left === 0
    ? `The add-on "${addonName}" is sold out.`
    : `The add-on "${addonName}" has ${countOf(left, 'unit')} left, and the order needs ${requested}.`;

/** States how many units of an item the order has, and how many it may have. */
export const orderLimitMessage = (
  item: string,
  reason: 'BELOW_ORDER_MINIMUM' | 'ABOVE_ORDER_MAXIMUM',
  { limit, requested }: { limit: number; requested: number },
): string =>
  `An order of ${item} must have at ${reason === 'BELOW_ORDER_MINIMUM' ? 'least' : 'most'} ${limit} of it, and this order has ${requested}.`;

/** States why the sale of the add-on of a line is not on. */
export function addonBlockMessage(line: Line | undefined, name: string, block: SaleBlock): string {
  const addon = `the add-on "${name}"`;
  return line?.itemType === 'bundle'
    ? `The bundle "${line.name}" contains ${addon}, which ${blockPhrases[block]}.`
    : `${capitalized(addon)} ${blockPhrases[block]}.`;
}

export const usesExceededMessage = (left: number, requested: number): string =>
  `The redemption code has ${countOf(left, 'use')} left, and the order needs ${requested}.`;

export const tooManyHoldsMessage = (limit: number): string =>
  `This email already has ${countOf(limit, 'open order')} in the event, which is the limit.`;

export const tooManySeatsMessage = (limit: number, left: number): string =>
  `The event allows ${countOf(limit, 'seat')} per email, and this email can order ${left} more.`;

export const typeNameOf = ({ types }: Offer, ticketTypeId: string | undefined): string =>
  types.get(ticketTypeId ?? '')?.name ?? '';

const countOf = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
