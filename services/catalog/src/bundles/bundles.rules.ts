import type { BundleItems } from '@event-api/contracts/http/bundles';
import type { FieldIssue } from '@event-api/contracts/http/envelope';
import {
  remainingSeats,
  type SaleMoment,
  type Seats,
  seatsOfGroup,
} from '@event-api/rules/remaining-seats';
import type { z } from 'zod';

export type BundleContents = z.output<typeof BundleItems>;

/** A ticket type, or an add-on, whose units count as seats. */
export type SoldItem = Seats & SaleMoment;

export interface BundlePart {
  quantity: number;
  item: SoldItem;
}

/** What a bundle costs: its own price, or the sum of its items. */
export const effectivePrice = (priceAmount: number | null, parts: readonly BundlePart[]): number =>
  priceAmount ?? parts.reduce((sum, part) => sum + part.quantity * part.item.priceAmount, 0);

/**
 * How many bundles the remaining seats and units of its items allow: the least of its parts. Null
 * if they are unlimited, or it has none.
 */
export function remainingBundles(parts: readonly BundlePart[]): number | null {
  const counts = parts.flatMap(({ quantity, item }) => {
    const remaining = remainingSeats(item, item);
    return remaining === null ? [] : [Math.floor(remaining / quantity)];
  });
  counts.push(...bundlesOfGroups(parts));
  return counts.length > 0 ? Math.min(...counts) : null;
}

/** How many bundles each capacity group allows: all tickets of the bundle in it count together. */
function bundlesOfGroups(parts: readonly BundlePart[]): number[] {
  const grouped = Map.groupBy(parts, ({ item }) => item.group?.id);
  return [...grouped.values()].flatMap((members) => {
    const group = members[0]?.item.group;
    const quantity = members.reduce((sum, part) => sum + part.quantity, 0);
    return group ? [Math.floor(seatsOfGroup(group) / quantity)] : [];
  });
}

export type ContentsDecision =
  | { outcome: 'unchanged' }
  | { outcome: 'replaced' }
  | { outcome: 'event_archived' }
  | { outcome: 'archived'; fields: string[] }
  | { outcome: 'invalid'; issues: FieldIssue[] };

/**
 * Decides whether a bundle may have the items `next`. `existing` contains the ids of those items that the event has;
 * `field` is the path of the array in the request.
 */
export function decideContents(input: {
  current: BundleContents;
  next: BundleContents;
  existing: { registration_type: ReadonlySet<string>; addon: ReadonlySet<string> };
  eventIsArchived: boolean;
  isArchived: boolean;
  field: string;
}): ContentsDecision {
  const { current, next, existing, eventIsArchived, isArchived, field } = input;
  const issues = next.flatMap(({ itemType, itemId }, index) =>
    existing[itemType].has(itemId)
      ? []
      : [
          {
            field: `${field}[${index}].itemId`,
            issue: `is not ${itemType === 'addon' ? 'an add-on' : 'a ticket type'} of this event`,
            code: 'not_found',
          },
        ],
  );
  if (issues.length > 0) return { outcome: 'invalid', issues };
  if (isSame(current, next)) return { outcome: 'unchanged' };
  if (eventIsArchived) return { outcome: 'event_archived' };
  return isArchived ? { outcome: 'archived', fields: ['items'] } : { outcome: 'replaced' };
}

const isSame = (a: BundleContents, b: BundleContents): boolean =>
  a.length === b.length &&
  a.every((item, i) => {
    const other = b[i];
    return (
      other !== undefined &&
      item.itemType === other.itemType &&
      item.itemId === other.itemId &&
      item.quantity === other.quantity
    );
  });
