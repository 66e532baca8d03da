import {
  type AdmissionState,
  isActive,
  type RegistrationState,
  type ReservationState,
} from '../src/seats/seats.rules.ts';
import { type Delivered, sumOf, takenOf } from './model-state.ts';

/** How many seats or units may be taken of what was lowered below the taken ones. */
export function createLimits() {
  /** By the id of a type, an add-on or a group. */
  const allowed = new Map<string, number>();
  return {
    change(id: string, capacity: number | null, taken: number): void {
      allowed.set(id, Math.max(capacity ?? Infinity, taken));
    },
    /** Whether more are taken than allowed; from now on not more than now. */
    isExceeded(id: string, capacity: number | null, taken: number): boolean {
      const limit = capacity ?? Infinity;
      const isExceeded = taken > (allowed.get(id) ?? limit);
      allowed.set(id, Math.max(limit, taken));
      return isExceeded;
    },
  };
}

/** The rows of the model, and what it allows. */
interface Truth {
  rows: readonly RegistrationState[];
  delivered: readonly Delivered[];
  groupOf: ReadonlyMap<string, string | null>;
  limits: ReturnType<typeof createLimits>;
}

/** The counters that differ from the rows, and the limits that are exceeded. */
export function brokenCounts(state: AdmissionState, truth: Truth): string[] {
  const { rows, groupOf, limits } = truth;
  const broken: string[] = [];
  const check = (what: string, holds: boolean) => void (holds || broken.push(what));
  const reservations = [...state.reservations.values()].filter(
    (reservation) => reservation.state === 'active',
  );
  const offers = [...state.reservations.values()].filter(({ offer }) => offer);
  for (const type of state.types.values()) {
    const { id, capacity, confirmed, waitlisted, offered, reserved, group } = type;
    const count = (status: string) =>
      rows.filter((row) => row.ticketTypeId === id && row.status === status).length;
    check(`${id}: confirmed`, confirmed === count('confirmed'));
    check(`${id}: waitlisted`, waitlisted === count('waitlisted'));
    const withOffer = rows.filter((row) => row.ticketTypeId === id && row.offerId);
    check(`${id}: offered`, offered === withOffer.length);
    check(
      `${id}: an offer of a registration that is not waitlisted`,
      withOffer.every(({ status }) => status === 'waitlisted'),
    );
    check(`${id}: reserved`, reserved === sumOf(reservations, ({ seats }) => seats.get(id) ?? 0));
    const taken = confirmed + reserved;
    check(`${id}: oversold`, !limits.isExceeded(id, capacity, taken));
    const takenOfGroup = group ? takenOf(state.types, groupOf, group.id) : 0;
    check(`${id}: the seats of its group`, !group || group.taken === takenOfGroup);
    const isFull = taken >= (capacity ?? Infinity) || (group && takenOfGroup >= group.capacity);
    check(`${id}: waitlisted despite an available seat`, waitlisted === offered || !!isFull);
  }
  const groups = new Map([...state.types.values()].map(({ group }) => [group?.id, group]));
  for (const group of groups.values()) {
    if (group)
      check(`${group.id}: oversold`, !limits.isExceeded(group.id, group.capacity, group.taken));
  }
  broken.push(...brokenUnits(state, truth, reservations), ...brokenOrderLimits(state));
  for (const { id, state, offer } of offers) {
    const row = rows.find((each) => each.id === offer?.registrationId);
    const isOpen = state === 'active' || state === 'taken';
    check(`${id}: open`, isOpen === (row?.offerId === id));
    if (state === 'expired') check(`${id}: missed`, (row?.offersMissed ?? 0) > 0);
    if (state === 'taken') {
      const order = reservations.some((one) => one.id === offer?.takenBy);
      check(`${id}: taken by an order that is not open`, order);
    }
    if (state === 'fulfilled' || state === 'released') {
      check(`${id}: ended`, ['confirmed', 'cancelled'].includes(row?.status ?? ''));
    }
  }
  for (const { id, uses, maxUses } of state.codes.values()) {
    const users = rows.filter((row) => isActive(row.status) && row.redemptionCodeId === id).length;
    const reservedUses = sumOf(reservations, (one) =>
      one.redemptionCodeId === id ? one.codeUses : 0,
    );
    check('uses', uses === users + reservedUses && uses <= (maxUses ?? Infinity));
  }
  const emails = rows.filter((row) => isActive(row.status)).map(({ normalEmail }) => normalEmail);
  check('an email is active twice', new Set(emails).size === emails.length);
  return broken;
}

/** The add-ons whose counters differ from what registrations and reservations have. */
function brokenUnits(
  { addons }: AdmissionState,
  { rows, delivered, limits }: Truth,
  reservations: readonly ReservationState[],
): string[] {
  const active = new Set(rows.filter(({ status }) => isActive(status)).map(({ id }) => id));
  return [...addons.values()].flatMap(({ id, capacity, confirmed, reserved }) => {
    const sold = delivered.filter((one) => one.addonId === id && active.has(one.registrationId));
    const isSold = confirmed === sumOf(sold, ({ quantity }) => quantity);
    const isReserved = reserved === sumOf(reservations, ({ seats }) => seats.get(id) ?? 0);
    const isExceeded = limits.isExceeded(id, capacity, confirmed + reserved);
    return [
      ...(isSold ? [] : [`${id}: sold units`]),
      ...(isReserved ? [] : [`${id}: reserved units`]),
      ...(isExceeded ? [`${id}: oversold`] : []),
    ];
  });
}

/** The reservations with fewer or more of an item than one order may have. */
function brokenOrderLimits({ types, addons, reservations }: AdmissionState): string[] {
  const items = [...types.values(), ...addons.values()];
  // The seat of an offer is no reason to refuse an order, and an open seat is a part of one.
  const ofOrders = [...reservations.values()].filter(
    ({ offer, offeredTo, openSeat }) => !offer && !openSeat && offeredTo.length === 0,
  );
  return ofOrders.flatMap(({ id, seats }) =>
    items.flatMap(({ id: itemId, minPerOrder, maxPerOrder }) => {
      const ordered = seats.get(itemId);
      if (ordered === undefined) return [];
      const isKept = ordered >= (minPerOrder ?? 0) && ordered <= (maxPerOrder ?? Infinity);
      return isKept ? [] : [`${id}: ${ordered} of ${itemId} in one order`];
    }),
  );
}
