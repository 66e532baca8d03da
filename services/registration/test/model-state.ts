import {
  type AdmissionState,
  type DeliveredUnits,
  isActive,
  type RegistrationState,
} from '../src/seats/seats.rules.ts';
import { fromNow } from './states.ts';

/** Lower than the possible length, so that batches load only the start of the waitlist. */
const waitlistLimit = 2;

/** Units of an add-on of a registration. */
export type Delivered = DeliveredUnits & { registrationId: string };

/** The registrations that wait for a seat of a type without an offer, in their order. */
export const waitlistOf = (rows: ReadonlyMap<string, RegistrationState>, typeId: string | null) =>
  [...rows.values()]
    .filter((row) => row.ticketTypeId === typeId && row.status === 'waitlisted' && !row.offerId)
    .sort((a, b) => a.waitlistOrder - b.waitlistOrder);

/** Reads the state that a batch is decided on. */
export function readState(
  stored: AdmissionState,
  rows: ReadonlyMap<string, RegistrationState>,
  {
    groups,
    groupOf,
    delivered,
    elapsedMs,
  }: {
    groups: ReadonlyMap<string, number>;
    groupOf: ReadonlyMap<string, string | null>;
    delivered: readonly Delivered[];
    elapsedMs: number;
  },
): AdmissionState {
  const shared = new Map(
    [...groups].map(([id, capacity]) => [
      id,
      { id, capacity, taken: takenOf(stored.types, groupOf, id) },
    ]),
  );
  const types = [...stored.types.values()].map((one) => {
    const waitlisted = waitlistOf(rows, one.id).slice(0, waitlistLimit);
    const waitlist = waitlisted.map(({ id }) => id);
    const waitlistContinues = waitlist.length === waitlistLimit;
    const group = shared.get(groupOf.get(one.id) ?? '') ?? null;
    return [one.id, { ...one, group, waitlist, waitlistContinues }] as const;
  });
  const live = [...rows.values()].filter(({ status }) => isActive(status));
  return {
    ...stored,
    now: fromNow(elapsedMs),
    ordersGiven: 0,
    types: new Map(types),
    addons: new Map([...stored.addons].map(([id, addon]) => [id, { ...addon }])),
    delivered: Map.groupBy(
      delivered.filter(({ registrationId }) =>
        isActive(rows.get(registrationId)?.status ?? 'cancelled'),
      ),
      ({ registrationId }) => registrationId,
    ),
    registrations: new Map([...rows].map(([id, row]) => [id, { ...row }])),
    active: new Map(live.map((row) => [row.normalEmail, row.id])),
    codes: new Map([...stored.codes].map(([key, code]) => [key, { ...code }])),
    reservations: new Map(stored.reservations),
    buyers: countBuyers(stored.reservations, rows),
    otherOrders: new Map(stored.otherOrders),
  };
}

/** The buyer state of each person of the model, counted from the rows. */
export function countBuyers(
  reservations: AdmissionState['reservations'],
  rows: ReadonlyMap<string, RegistrationState>,
): AdmissionState['buyers'] {
  const live = [...reservations.values()].filter(({ state }) => state === 'active');
  const active = [...rows.values()].filter(({ status }) => isActive(status));
  const people = Array.from({ length: 16 }, (_, n) => `p${n}`);
  return new Map(
    people.map((email) => {
      const holds = live.filter(({ buyerEmail }) => buyerEmail === email);
      const own = active.filter(({ buyerEmail }) => buyerEmail === email);
      return [
        email,
        { holds: holds.length, seats: sumOf(holds, (one) => one.seatCount) + own.length },
      ];
    }),
  );
}

/** The taken seats of the types of a group. */
export const takenOf = (
  types: AdmissionState['types'],
  groupOf: ReadonlyMap<string, string | null>,
  groupId: string,
): number =>
  sumOf(
    [...types.values()].filter(({ id }) => groupOf.get(id) === groupId),
    ({ confirmed, reserved }) => confirmed + reserved,
  );

export const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);
