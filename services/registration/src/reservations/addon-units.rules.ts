import { availableSeats } from '@event-api/rules/remaining-seats';
import { type AdmissionState, windowBlock } from '../seats/seats.rules.ts';

/** Units of an add-on on one line of an order. */
export interface RequestedUnits {
  addonId: string;
  quantity: number;
  /** The minimum of the add-on does not apply to units of a bundle. */
  inBundle: boolean;
}

/** `unit` is the index of the first entry of the add-on. */
export type UnitRefusal = { outcome: 'refused' } & (
  | { reason: 'ADDON_NOT_ON_SALE'; unit: number; block: 'not_open_yet' | 'sale_ended' }
  | { reason: 'ADDON_SOLD_OUT'; unit: number; unitsLeft: number; unitsRequested: number }
);

/** The units of an order; without a list, one of each add-on. */
export const unitsOf = ({
  addonIds,
  addonUnits,
}: {
  addonIds: readonly string[];
  addonUnits?: readonly RequestedUnits[] | undefined;
}): readonly RequestedUnits[] =>
  addonUnits ??
  [...new Set(addonIds)].map((addonId) => ({ addonId, quantity: 1, inBundle: false }));

/** How many units of each add-on there are. */
export function countUnits(
  units: readonly Pick<RequestedUnits, 'addonId' | 'quantity'>[],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { addonId, quantity } of units) {
    counts.set(addonId, (counts.get(addonId) ?? 0) + quantity);
  }
  return counts;
}

/** The first add-on whose sale has not begun or has ended. */
export function findBlockedUnits(
  { addons, now }: Pick<AdmissionState, 'addons' | 'now'>,
  units: readonly RequestedUnits[],
): UnitRefusal | undefined {
  for (const [unit, { addonId }] of units.entries()) {
    const addon = addons.get(addonId);
    const block = addon ? windowBlock(addon, now) : null;
    if (block) return { outcome: 'refused', reason: 'ADDON_NOT_ON_SALE', unit, block };
  }
}

/** The first add-on with fewer units left than the order needs. */
export function findSoldOutUnits(
  { addons }: Pick<AdmissionState, 'addons'>,
  units: readonly RequestedUnits[],
): UnitRefusal | undefined {
  for (const [addonId, unitsRequested] of countUnits(units)) {
    const addon = addons.get(addonId);
    const unitsLeft = addon ? availableSeats(addon) : Number.POSITIVE_INFINITY;
    if (unitsLeft >= unitsRequested) continue;
    const unit = units.findIndex((each) => each.addonId === addonId);
    return { outcome: 'refused', reason: 'ADDON_SOLD_OUT', unit, unitsLeft, unitsRequested };
  }
}
