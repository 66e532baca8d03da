import type { OrderItemType } from '@event-api/contracts/http/orders';
import type { Addon, TicketType } from '../../api/records.ts';
import { saleStatus } from '../../components/event/sale-window.rules.ts';
import { type OpenSeat, type PlannedLine, planLines } from './open-seats.rules.ts';

/** A ticket type or an add-on that can be ordered. */
export interface OfferedItem {
  itemType: Extract<OrderItemType, 'registration_type' | 'addon'>;
  id: string;
  name: string;
  priceAmount: number;
}

/** What is on sale now, tickets first. */
export function offeredItems(
  ticketTypes: readonly TicketType[],
  addons: readonly Addon[],
  now: Date,
): OfferedItem[] {
  const isOnSale = (item: TicketType | Addon) =>
    saleStatus({ ...item, remaining: item.availability.remaining }, now) === 'open';
  const offered =
    (itemType: OfferedItem['itemType']) =>
    ({ id, name, priceAmount }: TicketType | Addon): OfferedItem => ({
      ...{ itemType, id, name, priceAmount },
    });
  return [
    ...ticketTypes.filter(isOnSale).map(offered('registration_type')),
    ...addons.filter(isOnSale).map(offered('addon')),
  ];
}

export interface NewOrderValues {
  email: string;
  name: string;
  /** By the id of the item. */
  quantities: Readonly<Record<string, number | null>>;
  /** Who comes, one per line. */
  people: string;
  redemptionCode: string;
}

interface OrderBody {
  email: string;
  name: string | null;
  items: {
    itemType: OfferedItem['itemType'];
    itemId: string;
    quantity: number;
    attendees?: { email: string; name: string | null }[];
  }[];
  assignLater: boolean;
  redemptionCode: string | null;
}

export type NewOrderDecision =
  | { outcome: 'order'; body: OrderBody }
  | { outcome: 'nothing_chosen' }
  /** A line of the people that gives nobody a seat. */
  | { outcome: 'bad_line'; line: Exclude<PlannedLine, { outcome: 'assign' | 'header' }> };

/**
 * Decides what is ordered. The people of the list get the first seats, in the order of the items, and
 * seats without a name stay open. Without a list one single ticket is the buyer's.
 */
export function decideNewOrder(
  { email, name, quantities, people, redemptionCode }: NewOrderValues,
  offered: readonly OfferedItem[],
): NewOrderDecision {
  const chosen = offered.flatMap((item) => {
    const quantity = quantities[item.id] ?? 0;
    return quantity > 0 ? [{ ...item, quantity }] : [];
  });
  if (chosen.length === 0) return { outcome: 'nothing_chosen' };
  const seats = chosen.flatMap((item, itemIndex) =>
    item.itemType === 'addon' ? [] : seatsOf(item, itemIndex),
  );
  const plan = planLines(people, seats);
  const line = plan.find(({ outcome }) => outcome !== 'assign' && outcome !== 'header');
  if (line && line.outcome !== 'assign' && line.outcome !== 'header') {
    return { outcome: 'bad_line', line };
  }
  const named = plan.filter((each) => each.outcome === 'assign');
  const isOfBuyer = named.length === 0 && seats.length === 1;
  const items = chosen.map(({ itemType, id: itemId, quantity }, itemIndex) => ({
    ...{ itemType, itemId, quantity },
    ...(itemType === 'registration_type' &&
      !isOfBuyer && {
        attendees: named
          .filter(({ seat }) => seat.itemIndex === itemIndex)
          .map((person) => ({ email: person.email, name: person.name })),
      }),
  }));
  return {
    outcome: 'order',
    body: {
      ...{ email, name: name.trim() || null, items },
      assignLater: seats.length > 0 && !isOfBuyer,
      redemptionCode: redemptionCode.trim() || null,
    },
  };
}

const seatsOf = (
  { id, name, quantity }: OfferedItem & { quantity: number },
  itemIndex: number,
): OpenSeat[] =>
  Array.from({ length: quantity }, (_, n) => ({
    ...{ id: `${id} ${n}`, place: n + 1, itemIndex, itemName: name },
  }));
