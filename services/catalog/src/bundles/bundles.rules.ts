import type { BundleItems, UpdateBundle } from '@event-api/contracts/http/bundles';
import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { EventStatus } from '@event-api/contracts/http/events';
import { remainingSeats, type Seats } from '@event-api/rules/remaining-seats';
import type { z } from 'zod';
import { changedFields } from '../patches/patches.rules.ts';

/** The fields of a bundle that a patch can change. */
export type BundleState = Required<BundlePatch>;

export type BundlePatch = z.output<typeof UpdateBundle>;
export type BundleContents = z.output<typeof BundleItems>;

export type BundleUpdateDecision =
  | { outcome: 'unchanged' }
  | { outcome: 'changed'; changes: Partial<BundleState> }
  | { outcome: 'event_archived' };

/** Decides what a patch changes. A bundle has no lifecycle of its own. */
export function decideBundleUpdate(
  bundle: BundleState,
  patch: BundlePatch,
  eventIsArchived: boolean,
): BundleUpdateDecision {
  const changes = changedFields(bundle, patch);
  if (Object.keys(changes).length === 0) return { outcome: 'unchanged' };
  return eventIsArchived ? { outcome: 'event_archived' } : { outcome: 'changed', changes };
}

/** A ticket type of a bundle with its seats. */
export interface BundlePart {
  quantity: number;
  seats: Seats & { saleHasEnded: boolean };
}

/**
 * How many bundles the remaining seats of its ticket types allow: the least of its parts. Null if
 * they are unlimited, or it has none.
 */
export function remainingBundles(
  parts: readonly BundlePart[],
  eventStatus: EventStatus,
): number | null {
  const counts = parts.flatMap(({ quantity, seats }) => {
    const remaining = remainingSeats(seats, { eventStatus, saleHasEnded: seats.saleHasEnded });
    return remaining === null ? [] : [Math.floor(remaining / quantity)];
  });
  return counts.length > 0 ? Math.min(...counts) : null;
}

export type ContentsDecision =
  | { outcome: 'unchanged' }
  | { outcome: 'replaced' }
  | { outcome: 'event_archived' }
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
  field: string;
}): ContentsDecision {
  const { current, next, existing, eventIsArchived, field } = input;
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
  return { outcome: eventIsArchived ? 'event_archived' : 'replaced' };
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
