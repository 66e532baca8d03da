import type { MovementKind } from '@event-api/contracts/operator/ledger';

/** A sum of money that one side knows of an object. */
export interface Money {
  amount: number;
  currency: string;
}

/** The two directions of an object: money comes or goes, and the opposite. */
export interface Sides {
  here: Money | null;
  there: Money | null;
}

/** A payment, a refund or a dispute that one side has moved on the day. */
export interface ComparedObject {
  objectId: string;
  /** The order and the unit, if the journal has the object. */
  orderId: string | null;
  businessUnitId: string | null;
  /** The movement itself, and its return, such as a refund that fails later. */
  moved: Sides;
  returned: Sides;
  /** Which of the two happened on the day. */
  isOfDay: { moved: boolean; returned: boolean };
}

export type DifferenceKind = 'missing_here' | 'missing_there' | 'other_amount' | 'other_currency';

export interface Difference {
  direction: 'moved' | 'returned';
  difference: DifferenceKind;
  here: Money | null;
  there: Money | null;
}

/** A difference, as a reconciliation stores and lists it. */
export interface ListedDifference extends Omit<Difference, 'direction'> {
  kind: MovementKind;
  objectId: string;
  orderId: string | null;
  businessUnitId: string | null;
}

/**
 * Decides in what the journal and the provider differ about an object. Only what happened on the day
 * is compared. A movement that was returned on both days counts as none: a refund that failed before
 * this platform heard of it is not in the journal.
 */
export function decideDifferences(object: ComparedObject): Difference[] {
  const { moved, returned, isOfDay } = object;
  const found = (['moved', 'returned'] as const).flatMap((direction) => {
    const difference = isOfDay[direction] ? compare(object[direction]) : null;
    return difference === null ? [] : [{ direction, difference, ...object[direction] }];
  });
  const isSameNet =
    netOf(moved.here, returned.here) === netOf(moved.there, returned.there) &&
    isOfDay.moved &&
    isOfDay.returned;
  return isSameNet && found.every(({ difference }) => difference !== 'other_currency') ? [] : found;
}

function compare({ here, there }: Sides): DifferenceKind | null {
  if (here === null) return there === null ? null : 'missing_here';
  if (there === null) return 'missing_there';
  if (here.currency !== there.currency) return 'other_currency';
  return here.amount === there.amount ? null : 'other_amount';
}

const netOf = (moved: Money | null, returned: Money | null): number =>
  (moved?.amount ?? 0) - (returned?.amount ?? 0);

/** A movement of the provider, as far as it says whose it is. */
export interface Origin {
  kind: MovementKind;
  paymentId: string | null;
  attemptId: string | null;
}

/**
 * Whether a movement on the own account of a unit is other business of that unit: a charge that
 * names no attempt of this platform, and what happens to its payment. `known` are the payments that
 * this platform has recorded.
 */
export const isOtherBusiness = (
  { kind, paymentId, attemptId }: Origin,
  known: ReadonlySet<string>,
): boolean => {
  if (paymentId !== null && known.has(paymentId)) return false;
  return kind !== 'charge' || attemptId === null;
};
