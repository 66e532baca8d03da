import type {
  CancelledAddon,
  ChangedType,
  OrderQuote,
  OrderQuoteLine,
} from '@event-api/contracts/http/order-changes';
import type { CancelledUnits, PresentSeat, Seat } from '../orders/lines.rules.ts';
import { orderSeatsOf } from '../orders/order-seats.rules.ts';
import {
  type CancelledOrder,
  refundStateOf,
  type SeatAmounts,
} from '../refunds/cancelled-seats.rules.ts';
import { type ChangedOrder, holderOf } from './seats.rules.ts';

/** What a change pays back and costs. */
export type Quote = Omit<OrderQuote, 'id' | 'expiresAt'>;

/** What a change does. */
export interface ChangeRequest {
  /** By their ids. */
  cancelSeats: readonly string[];
  cancelAddons: readonly CancelledAddon[];
  /** Missing in a quote of the previous release. */
  changeTypes?: readonly ChangedType[];
}

/** A change as its quote stores it. */
export interface QuotedRequest extends ChangeRequest {
  /** Who has the seats of the change, as `holdersOf` lists them. Missing as `changeTypes`. */
  holders?: readonly string[];
}

/** Who has the seats of a change: registrations, or the ids of open seats. */
export const holdersOf = (
  order: ChangedOrder,
  { cancelSeats, changeTypes = [] }: ChangeRequest,
): string[] => {
  const ids = [...cancelSeats, ...changeTypes.map(({ seatId }) => seatId)];
  const holders = new Map(orderSeatsOf(order).map((seat) => [seat.id, holderOf(seat)]));
  return ids.map((id) => holders.get(id) ?? id);
};

/** A part of a change with what is paid back for it. */
interface QuotedPart extends SeatAmounts {
  refundState: 'due' | 'pending' | null;
}

/** A seat that a change cancels. */
export interface QuotedSeat extends QuotedPart {
  id: string;
  registrationId: string;
}

/** A seat that gets another ticket type. */
export interface QuotedType extends QuotedPart {
  id: string;
  registrationId: string;
  to: PresentSeat;
}

/** Units of an add-on that a change cancels. */
export interface QuotedUnits extends QuotedPart, CancelledUnits {}

/** What a change does, with what is paid back. */
export interface QuotedChange {
  seats: QuotedSeat[];
  types: QuotedType[];
  units: QuotedUnits[];
}

/** What the execution of a quote does to its order: exactly what was quoted. */
export function effectOf(
  order: ChangedOrder,
  { request, quote }: { request: ChangeRequest; quote: Quote },
): QuotedChange {
  const { cancelSeats, changeTypes = [], cancelAddons } = request;
  const holders = new Map(orderSeatsOf(order).map((seat) => [seat.id, holderOf(seat)]));
  const seatOf = (id: string) => ({ id, registrationId: holders.get(id) ?? id });
  // The lines of a quote are in this order.
  const ofTypes = quote.lines.slice(cancelSeats.length);
  const ofUnits = ofTypes.slice(changeTypes.length);
  return {
    seats: cancelSeats.flatMap((id, n) => partOf(order, quote.lines[n], seatOf(id))),
    types: changeTypes.flatMap(({ seatId, ticketTypeId }, n) => {
      const line = ofTypes[n];
      // All that was paid for a settled seat is decided: there is no difference to decide about.
      const amount = (line?.reason === 'settled' ? line.paid : line?.price) ?? 0;
      return partOf(order, line, { ...seatOf(seatId), to: { ticketTypeId, amount } });
    }),
    units: cancelAddons.flatMap(({ itemIndex, quantity, registrationId = null }, n) => {
      const amount = ofUnits[n]?.paid ?? 0;
      return partOf(order, ofUnits[n], { line: itemIndex, registrationId, quantity, amount });
    }),
  };
}

function partOf<Part extends object>(
  order: Pick<CancelledOrder, 'refundPolicy'>,
  line: OrderQuoteLine | undefined,
  part: Part,
): (Part & QuotedPart)[] {
  if (!line) return [];
  const { refund: refundAmount, fee: feeAmount, band, reason } = line;
  const paidAmount = line.paid - (line.price ?? 0);
  const amounts = { paidAmount, refundAmount, keptAmount: paidAmount - refundAmount, feeAmount };
  return [
    { ...part, ...amounts, band, reason, refundState: refundStateOf(order, { refundAmount }) },
  ];
}

/** The seats and the cancelled units of add-ons of an order after a change. */
export const afterChange = (
  order: ChangedOrder,
  { seats, types, units }: QuotedChange,
): { seats: Seat[]; cancelledAddons: CancelledUnits[] } => {
  const ids = orderSeatsOf(order).map(({ id }) => id);
  const changed = order.seats.map((seat, n): Seat => {
    const to = types.find(({ id }) => id === ids[n])?.to;
    if (to) return { ...seat, changedTo: to };
    return seats.some(({ id }) => id === ids[n]) ? { ...seat, isCancelled: true } : seat;
  });
  return {
    seats: changed,
    cancelledAddons: [
      ...order.cancelledAddons,
      ...units.map(({ line, registrationId, quantity, amount }) => ({
        ...{ line, registrationId, quantity, amount },
      })),
    ],
  };
};
