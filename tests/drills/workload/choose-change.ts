import type { CancelledAddon, ChangedType } from '@event-api/contracts/http/order-changes';
import type { SeededRandom } from '@event-api/platform/testing/random';
import type { TicketType } from '../environment/offer.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are inspected without a schema.
type Body = any;

/** What a request for a quote changes. */
export interface ChosenChange {
  cancelSeats: string[];
  cancelAddons: Partial<CancelledAddon>[];
  changeTypes: ChangedType[];
}

/**
 * Some of the seats and units that an order has, to be cancelled, and some of the seats to get
 * other ticket types; null if it has none.
 */
export function chooseChange(
  random: SeededRandom,
  { seats, items }: Body,
  types: readonly TicketType[],
): ChosenChange | null {
  if (random.chance(0.15)) return chooseDearer(random, seats, types);
  const left = random.shuffled<Body>(seats.filter(({ status }: Body) => status !== 'cancelled'));
  const cancelled = random.chance(0.65) ? left.slice(0, random.chance(0.3) ? left.length : 1) : [];
  const others = left.slice(cancelled.length);
  const changed = random.chance(0.45) ? others.slice(0, 1 + random.below(2)) : [];
  const cancelAddons = items.flatMap((item: Body, itemIndex: number) =>
    item.itemType === 'addon' && random.chance(0.6) ? [chooseUnits(random, item, itemIndex)] : [],
  );
  const changeTypes = changed.flatMap((seat) => chooseType(random, seat, types));
  if (cancelled.length + cancelAddons.length + changeTypes.length === 0) return null;
  return { cancelSeats: cancelled.map(({ id }) => id), cancelAddons, changeTypes };
}

/** One seat to get a type that costs more, and nothing else, which would be refused. */
function chooseDearer(
  random: SeededRandom,
  seats: readonly Body[],
  types: readonly TicketType[],
): ChosenChange | null {
  const choices = seats.flatMap(({ id: seatId, status, ticketTypeId: present, amount }) =>
    types
      .filter(({ id, priceAmount }) => id !== present && priceAmount > amount)
      .map(({ id: ticketTypeId }) => (status === 'cancelled' ? null : { seatId, ticketTypeId })),
  );
  const chosen = choices.filter((choice) => choice !== null);
  if (chosen.length === 0) return null;
  return { cancelSeats: [], cancelAddons: [], changeTypes: [random.pick(chosen)] };
}

/** Another type that costs no more than the seat, or sometimes any other, which may be refused. */
function chooseType(
  random: SeededRandom,
  { id: seatId, ticketTypeId: present, amount }: Body,
  types: readonly TicketType[],
): ChangedType[] {
  const others = types.filter(({ id }) => id !== present);
  const cheaper = others.filter(({ priceAmount }) => priceAmount <= amount);
  const wanted = cheaper.length === 0 || random.chance(0.2) ? others : cheaper;
  return wanted.length === 0 ? [] : [{ seatId, ticketTypeId: random.pick(wanted).id }];
}

const chooseUnits = (
  random: SeededRandom,
  { quantity, attendees, registrationIds }: Body,
  itemIndex: number,
): Partial<CancelledAddon> =>
  attendees.length > 0 && registrationIds.length > 0
    ? { itemIndex, registrationId: random.pick<string>(registrationIds) }
    : { itemIndex, quantity: 1 + random.below(quantity) };
