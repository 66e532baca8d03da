import { normalEmail } from '@event-api/contracts/email';
import { type CancelledUnits, type OrderedAddon, presentSeat, type Seat } from './lines.rules.ts';

/** A seat of an order and what was paid for it. */
export interface SeatPrice {
  /** The line that it belongs to. */
  line: number;
  /** Null before the order is fulfilled. An open seat has its own id until it is assigned. */
  registrationId: string | null;
  /** Whether its attendee had registered before: the registration is not of this order. */
  isUnfulfilled: boolean;
  amount: number;
  /** What was paid for the add-ons that its attendee received. */
  addonAmount: number;
}

export interface PricedSeats {
  lines: readonly {
    firstSeat: number;
    seatCount: number;
    totalAmount: number;
    registrationIds: readonly string[];
    unfulfilledRegistrationIds: readonly string[];
  }[];
  seats: readonly Seat[];
  addons: readonly OrderedAddon[];
  addonRegistrationId: string | null;
  /** Missing before any. */
  cancelledAddons?: readonly CancelledUnits[];
}

/**
 * Divides what was paid for an order among its seats. An add-on belongs to the seat of its
 * recipient, what a bundle costs on top of its seats to the seat that received its add-ons. What is
 * left, such as an add-on of somebody without a seat in the order, belongs to no seat, and neither do
 * units of add-ons that are cancelled, and the difference to a ticket type that costs less.
 */
export function seatPricesOf(order: PricedSeats): SeatPrice[] {
  const prices = order.lines.flatMap(
    ({ firstSeat, seatCount, registrationIds, unfulfilledRegistrationIds }, line) =>
      order.seats.slice(firstSeat, firstSeat + seatCount).map((seat, n): SeatPrice => {
        const registrationId = registrationIds[n] ?? null;
        const isUnfulfilled =
          registrationId !== null && unfulfilledRegistrationIds.includes(registrationId);
        const { amount } = presentSeat(seat);
        return { line, registrationId, isUnfulfilled, amount, addonAmount: 0 };
      }),
  );
  const emails = order.seats.map(({ email }) => normalEmail(email));
  const buyers = prices.find(
    ({ registrationId }) => registrationId !== null && registrationId === order.addonRegistrationId,
  );
  for (const [line, { firstSeat, seatCount, totalAmount }] of order.lines.entries()) {
    const inSeats = order.seats.slice(firstSeat, firstSeat + seatCount);
    const rest = totalAmount - inSeats.reduce((sum, { amount }) => sum + amount, 0);
    if (rest <= 0) continue;
    const addons = order.addons.filter((addon) => addon.line === line);
    const named = addons.flatMap((addon) => addon.emails.map(normalEmail));
    const receivers =
      named.length > 0
        ? named.map((email) => prices[emails.indexOf(email)])
        : // A bundle without add-ons costs more than its seats by what rounding has left.
          [addons.length === 0 && seatCount > 0 ? prices[firstSeat] : buyers];
    const share = Math.floor(rest / receivers.length);
    for (const price of receivers) {
      if (price && !price.isUnfulfilled) price.addonAmount += share;
    }
  }
  for (const { registrationId, amount } of order.cancelledAddons ?? []) {
    const receiver = registrationId ?? order.addonRegistrationId;
    const price = prices.find((each) => receiver !== null && each.registrationId === receiver);
    if (price) price.addonAmount = Math.max(0, price.addonAmount - amount);
  }
  return prices;
}

/** What changes of the order have taken off its price: they have decided about this money. */
export const decidedByChanges = ({ seats, cancelledAddons = [] }: PricedSeats): number =>
  sumOf(cancelledAddons.map(({ amount }) => amount)) +
  sumOf(seats.map((seat) => seat.amount - presentSeat(seat).amount));

const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + amount, 0);

/** The whole price of a seat. */
export const wholePrice = ({ amount, addonAmount }: SeatPrice): number => amount + addonAmount;
