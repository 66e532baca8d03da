import type { Write } from '../../api/actions.ts';
import { isActive } from '../../api/active-status.ts';
import type { FoundOrder, Registration } from '../../api/records.ts';
import { ordersText } from '../../text/orders.ts';
import { dueOf, leftOf } from './refund.rules.ts';

export type OrderSeat = FoundOrder['seats'][number];
type Status = FoundOrder['registrations'][number]['status'];

/** A person of an order: the seat, the status of the registration, and what can be done with it. */
export interface OrderPerson extends Omit<OrderSeat, 'status'> {
  registrationId: string;
  status: Status;
  /** Null until it is read. */
  checkinCode: string | null;
  isActive: boolean;
}

/** A registration as it is now. It may have been transferred since it was sold. */
export type PresentHolder = Pick<Registration, 'name' | 'email' | 'status' | 'checkinCode'>;

/**
 * The people to whom the order gave a registration, in the order of its lines: as they are now,
 * where that is known, otherwise as they were sold.
 */
export function peopleOf(
  { seats, registrations }: Pick<FoundOrder, 'seats' | 'registrations'>,
  holders: ReadonlyMap<string, PresentHolder> = new Map(),
): OrderPerson[] {
  const statusOf = new Map(registrations.map(({ id, status }) => [id, status]));
  return seats.flatMap((seat) => {
    const { registrationId } = seat;
    if (registrationId === null) return [];
    const { name, email, status, checkinCode } = holders.get(registrationId) ?? {
      ...seat,
      status: statusOf.get(registrationId) ?? null,
      checkinCode: null,
    };
    const canChange = !seat.isUnfulfilled && isActive(status);
    return { ...seat, registrationId, name, email, status, checkinCode, isActive: canChange };
  });
}

/** What an operator does with people of an order. */
export type SeatChoice = 'refund_and_cancel' | 'cancel' | 'refund';

/** What the roles of an operator allow. */
export interface SeatRights {
  mayRefund: boolean;
  mayCancel: boolean;
}

/** The choices for a person, the usual one first. */
export function choicesFor(
  person: OrderPerson,
  { mayRefund, mayCancel }: SeatRights,
): SeatChoice[] {
  if (person.isUnfulfilled) return [];
  const { isActive, refundableAmount } = person;
  const isPriced = refundableAmount > 0;
  return [
    ...(mayRefund && isActive && isPriced ? (['refund_and_cancel'] as const) : []),
    ...(mayCancel && isActive ? (['cancel'] as const) : []),
    ...(mayRefund && isPriced ? (['refund'] as const) : []),
  ];
}

const allChoices: readonly SeatChoice[] = ['refund_and_cancel', 'cancel', 'refund'];

/** The choices that do something for at least one of these people. */
export const choicesOf = (people: readonly OrderPerson[], rights: SeatRights): SeatChoice[] =>
  allChoices.filter((choice) =>
    people.some((person) => choicesFor(person, rights).includes(choice)),
  );

/** Who has a seat. The person of an open seat that was assigned is known by the registration only. */
export const nameOf = ({ name, email }: Pick<OrderSeat, 'name' | 'email'>): string =>
  name ?? email ?? ordersText.people.assignedLater;

/** What a choice does: the money that goes back, and who is cancelled. */
export interface SeatPreview {
  /** Of the prices, without what is due anyway. */
  amount: number;
  addonAmount: number;
  /** What is due to the buyer and is paid with any refund. */
  due: number;
  cancels: OrderPerson[];
  /** The price is higher than what is left of the payment. */
  isCapped: boolean;
}

/** Computes what a choice does to the chosen people, as the server decides it. */
export function previewSeats(
  order: FoundOrder,
  chosen: readonly OrderPerson[],
  choice: SeatChoice,
): SeatPreview {
  const cancels = choice === 'refund' ? [] : chosen.filter(({ isActive }) => isActive);
  if (choice === 'cancel') {
    return { amount: 0, addonAmount: 0, due: 0, cancels, isCapped: false };
  }
  const open = chosen.filter(({ refundableAmount }) => refundableAmount > 0);
  const price = sum(open.map(({ amount, addonAmount }) => amount + addonAmount));
  const amount = Math.min(price, leftOf(order));
  return {
    amount,
    addonAmount: sum(open.map(({ addonAmount }) => addonAmount)),
    due: dueOf(order),
    cancels,
    isCapped: amount < price,
  };
}

/** The writes of a choice: one command, or a cancellation for each person without a refund. */
export function seatWrites(
  choice: SeatChoice,
  chosen: readonly OrderPerson[],
  {
    eventId,
    orderId,
    eventPath,
    reason,
  }: {
    eventId: string;
    orderId: string;
    eventPath: string;
    reason: string | null;
  },
): Write[] {
  if (choice === 'cancel') {
    return chosen
      .filter(({ isActive }) => isActive)
      .map(({ registrationId }) => ({
        method: 'POST',
        path: `${eventPath}/registrations/${encodeURIComponent(registrationId)}/cancel`,
      }));
  }
  const registrationIds = chosen.map(({ registrationId }) => registrationId);
  const keepRegistrations = choice === 'refund';
  return [
    {
      command: 'order.refund',
      input: { eventId, orderId, registrationIds, keepRegistrations, reason },
    },
  ];
}

const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, each) => total + each, 0);
