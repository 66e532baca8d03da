import type { CancelledAddon } from '@event-api/contracts/http/order-changes';
import type { OrderItemType } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { isSeatId } from '@event-api/contracts/seat-ids';
import { amountOfUnits } from '../orders/line-taxes.rules.ts';
import {
  type CancelledUnits,
  cancelledQuantityOf,
  type OrderedAddon,
} from '../orders/lines.rules.ts';
import { isEnded } from '../orders/order-seats.rules.ts';

/** An order as far as it says who has which units of add-ons. */
export interface OrderWithAddons {
  lines: readonly {
    itemType: OrderItemType;
    itemId: string;
    quantity: number;
    /** What was charged, with tax. */
    totalAmount: number;
    attendees: readonly unknown[];
    registrationIds: readonly string[];
  }[];
  addons: readonly OrderedAddon[];
  cancelledAddons: readonly CancelledUnits[];
  addonRegistrationId: string | null;
  registrationStatuses: Readonly<Record<string, RegistrationStatus>>;
}

/** Units to cancel, and the registration that has them. */
export interface ChosenUnits extends CancelledUnits {
  receiver: string;
}

export type UnitsDecision =
  | { outcome: 'chosen'; units: ChosenUnits[] }
  /** The item is no add-on of the order. */
  | { outcome: 'unknown_addon'; index: number }
  /** An item with named recipients needs one of them, any other one none. */
  | { outcome: 'wrong_recipient'; index: number; isNamed: boolean }
  /** Fewer units are left: others are cancelled. */
  | { outcome: 'too_many_units'; index: number; left: number }
  /** The registration that had the units ends with its seat, by this change or another one. */
  | { outcome: 'units_of_seat'; index: number }
  /** No unit is left, or nobody has them: the registration that had them has ended. */
  | { outcome: 'no_units'; index: number };

/** Decides which units a change cancels. `ending` are registrations that end with the change. */
export function decideUnits(
  order: OrderWithAddons,
  requested: readonly CancelledAddon[],
  ending: readonly string[],
): UnitsDecision {
  const units: ChosenUnits[] = [];
  for (const [index, { itemIndex, quantity, registrationId = null }] of requested.entries()) {
    const line = order.lines[itemIndex];
    if (line?.itemType !== 'addon') return { outcome: 'unknown_addon', index };
    const isNamed = line.attendees.length > 0;
    const isRecipient = registrationId !== null && line.registrationIds.includes(registrationId);
    if (isNamed ? !isRecipient : registrationId !== null) {
      return { outcome: 'wrong_recipient', index, isNamed };
    }
    const receiver = registrationId ?? order.addonRegistrationId;
    const cancelled = cancelledQuantityOf(order.cancelledAddons, itemIndex, registrationId);
    if (receiver !== null && ending.includes(receiver)) return { outcome: 'units_of_seat', index };
    // An open seat keeps its add-ons for its attendee.
    const isGone =
      receiver === null || isSeatId(receiver) || isEnded(order.registrationStatuses[receiver]);
    const left = isGone ? 0 : (isNamed ? 1 : line.quantity) - cancelled;
    if (receiver === null || left <= 0) return { outcome: 'no_units', index };
    if (quantity > left) return { outcome: 'too_many_units', index, left };
    const before =
      cancelledQuantityOf(order.cancelledAddons, itemIndex) + cancelledQuantityOf(units, itemIndex);
    const amount = amountOfUnits(line, before, quantity);
    units.push({ line: itemIndex, registrationId, quantity, amount, receiver });
  }
  return { outcome: 'chosen', units };
}

/** How many units of the add-ons on these lines their receivers keep, as registration counts them. */
export function keptUnitsOf(
  order: OrderWithAddons,
  cancelled: readonly Pick<CancelledUnits, 'line' | 'registrationId'>[],
): { registrationId: string; addonId: string; quantity: number }[] {
  const kept = cancelled.flatMap(({ line, registrationId }) => {
    const receiver = registrationId ?? order.addonRegistrationId;
    const addonId = order.lines[line]?.itemId;
    if (receiver === null || addonId === undefined) return [];
    const quantity = order.addons
      .filter((addon) => addon.addonId === addonId)
      .reduce((sum, addon) => sum + unitsOf(order, addon, receiver), 0);
    return [{ registrationId: receiver, addonId, quantity }];
  });
  return [
    ...new Map(kept.map((each) => [`${each.registrationId} ${each.addonId}`, each])).values(),
  ];
}

/** The units of an add-on on one line that a registration has. */
function unitsOf(order: OrderWithAddons, addon: OrderedAddon, receiver: string): number {
  const cancelledOf = (registrationId: string | null) =>
    cancelledQuantityOf(order.cancelledAddons, addon.line, registrationId);
  if (addon.emails.length === 0) {
    return receiver === order.addonRegistrationId ? (addon.quantity ?? 1) - cancelledOf(null) : 0;
  }
  const isRecipient = order.lines[addon.line]?.registrationIds.includes(receiver) ?? false;
  return isRecipient ? 1 - cancelledOf(receiver) : 0;
}
