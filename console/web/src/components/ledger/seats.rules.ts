import type { Write } from '../../api/actions.ts';
import { isActive } from '../../api/active-status.ts';
import type { FoundOrder, Registration } from '../../api/records.ts';
import { openSeatsText } from '../../text/open-seats.ts';
import { ordersText } from '../../text/orders.ts';
import { dueOf, leftOf } from './refund.rules.ts';

export type OrderSeat = FoundOrder['seats'][number];
type Status = FoundOrder['registrations'][number]['status'];

/**
 * Who has a seat of an order, or an open seat: its registration with the present status, and what
 * can be done with it.
 */
export interface OrderPerson extends Omit<OrderSeat, 'status'> {
  /** Of an open seat its own id, by which it is refunded. */
  registrationId: string;
  isOpen: boolean;
  status: Status;
  /** Null until it is read. */
  checkinCode: string | null;
  isActive: boolean;
}

/** A registration as it is now. It may have been transferred since it was sold. */
export type PresentHolder = Pick<Registration, 'name' | 'email' | 'status' | 'checkinCode'>;

/**
 * The people to whom the order gave a registration, and its open seats, in the order of its lines:
 * as they are now, where that is known, otherwise as they were sold.
 */
export function peopleOf(
  { seats, registrations }: Pick<FoundOrder, 'seats' | 'registrations'>,
  holders: ReadonlyMap<string, PresentHolder> = new Map(),
): OrderPerson[] {
  const statusOf = new Map(registrations.map(({ id, status }) => [id, status]));
  return seats.flatMap((seat, index): OrderPerson[] => {
    const { id, registrationId } = seat;
    if (registrationId === null) {
      if (seat.status !== 'open') return [];
      const open = { registrationId: id, isOpen: true, isActive: true };
      const name = openSeatsText.seat(index + 1);
      return [{ ...seat, ...open, name, email: null, status: null, checkinCode: null }];
    }
    const { name, email, status, checkinCode } = holders.get(registrationId) ?? {
      ...seat,
      status: statusOf.get(registrationId) ?? null,
      checkinCode: null,
    };
    const canChange = !seat.isUnfulfilled && isActive(status);
    const now = { registrationId, name, email, status, checkinCode };
    return [{ ...seat, ...now, isOpen: false, isActive: canChange }];
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
  if (person.isOpen) return mayRefund && isPriced ? ['refund_and_cancel'] : [];
  return [
    ...(mayRefund && isActive && isPriced ? (['refund_and_cancel'] as const) : []),
    ...(mayCancel && isActive ? (['cancel'] as const) : []),
    ...(mayRefund && isPriced ? (['refund'] as const) : []),
  ];
}

/** Whether a refund leaves a ticket to one of these people: a cancelled one has none to keep. */
export const keepsTickets = (people: readonly OrderPerson[]): boolean =>
  people.some(({ isActive, isOpen }) => isActive && !isOpen);

const allChoices: readonly SeatChoice[] = ['refund_and_cancel', 'cancel', 'refund'];

/** The choices that do something for at least one of these people. */
export const choicesOf = (people: readonly OrderPerson[], rights: SeatRights): SeatChoice[] =>
  allChoices.filter((choice) =>
    people.some((person) => choicesFor(person, rights).includes(choice)),
  );

/** Who has a seat. The person of an open seat that was assigned is known by the registration only. */
export const nameOf = ({ name, email }: Pick<OrderSeat, 'name' | 'email'>): string =>
  name ?? email ?? ordersText.people.assignedLater;

/** Whether the policy of the order says what is paid back for a seat that is only cancelled. */
export const decidesByPolicy = ({ refundPolicy }: Pick<FoundOrder, 'refundPolicy'>): boolean =>
  (refundPolicy?.bands.length ?? 0) > 0;

/** What a choice does: the money that goes back, and who is cancelled. */
export interface SeatPreview {
  /** Of the prices, without what is due anyway or was paid back by the policy. */
  amount: number;
  addonAmount: number;
  /** What is due to the buyer and is paid with any refund. */
  due: number;
  cancels: OrderPerson[];
  /** The price is higher than what is left of the payment. */
  isCapped: boolean;
}

/** The chosen people to whom a choice applies. Nobody has an open seat to keep, or cancels it alone. */
const affectedBy = (choice: SeatChoice, chosen: readonly OrderPerson[]): OrderPerson[] =>
  chosen.filter(({ isOpen }) => choice === 'refund_and_cancel' || !isOpen);

/** Computes what a choice does to the chosen people, as the server decides it. */
export function previewSeats(
  order: FoundOrder,
  all: readonly OrderPerson[],
  choice: SeatChoice,
): SeatPreview {
  const chosen = affectedBy(choice, all);
  const cancels = choice === 'refund' ? [] : chosen.filter(({ isActive }) => isActive);
  if (choice === 'cancel') {
    return { amount: 0, addonAmount: 0, due: 0, cancels, isCapped: false };
  }
  const open = chosen.filter(({ refundableAmount }) => refundableAmount > 0);
  const left = leftOf(order);
  const amount = Math.min(sum(open.map(({ refundableAmount }) => refundableAmount)), left);
  const whole = open.filter((person) => person.refundableAmount === priceOf(person));
  return {
    amount,
    addonAmount: sum(whole.map(({ addonAmount }) => addonAmount)),
    due: dueOf(order),
    cancels,
    isCapped: amount === left && amount < sum(open.map(priceOf)),
  };
}

const priceOf = ({ amount, addonAmount }: OrderPerson): number => amount + addonAmount;

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
    return affectedBy(choice, chosen)
      .filter(({ isActive }) => isActive)
      .map(({ registrationId }) => ({
        method: 'POST',
        path: `${eventPath}/registrations/${encodeURIComponent(registrationId)}/cancel`,
      }));
  }
  const registrationIds = affectedBy(choice, chosen).map(({ registrationId }) => registrationId);
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
