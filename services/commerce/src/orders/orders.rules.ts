import type { OrderStatus } from '@event-api/contracts/http/orders';

/**
 * An unfinished change. `fulfil`: registration creates the registrations. `cancel`: the payment
 * session is being expired, and a payment withdraws the cancellation. `release`: the cancellation
 * is decided, and registration releases the reservation, or cancels what a paid order without a
 * price has created. `restore`: registration has lost the seats of a paid order and creates them
 * again.
 */
export const orderIntents = ['fulfil', 'cancel', 'release', 'restore'] as const;

/**
 * The input of decisions. `status` is the stored status; `holdExpired` compares the hold with the
 * clock.
 */
export interface OrderState {
  status: OrderStatus;
  intent: (typeof orderIntents)[number] | null;
  totalAmount: number;
  /** The settlement that pays for the order. Every other one is refunded. */
  settlementId: string | null;
  holdExpired: boolean;
}

/**
 * The lifecycle of an order: the statuses that may follow each status. A payment that arrives late
 * pays for an expired order if its seats are available, and is otherwise refunded. An order whose
 * attendees had all registered elsewhere becomes paid when it gets a registration of a refunded
 * order. A paid order whose seats were lost in a restore and are no longer available is owed its
 * money, or cancelled if it was free. A free order can be cancelled after it was fulfilled, because
 * there is no money to refund.
 */
export const orderTransitions: Record<OrderStatus, readonly OrderStatus[]> = {
  held: ['awaiting_payment', 'paid', 'cancelled', 'expired', 'refund_due'],
  awaiting_payment: ['paid', 'cancelled', 'expired', 'refund_due'],
  expired: ['paid', 'refund_due'],
  cancelled: ['refund_due'],
  paid: ['refunded', 'refund_due', 'cancelled'],
  refund_due: ['paid', 'refunded'],
  refunded: [],
};

/**
 * Whether a payment or a fulfilment may still make the order paid. An order that owes its money
 * becomes paid only by a registration that a refunded order hands over.
 */
export const mayBecomePaid = ({ status }: Pick<OrderState, 'status'>): boolean =>
  status !== 'refund_due' && orderTransitions[status].includes('paid');

export const closedStatuses: readonly OrderStatus[] = [
  'cancelled',
  'expired',
  'refunded',
  'refund_due',
];

/**
 * Whether a fulfilment has started. From then on only registration knows whether it has happened.
 */
export const isFulfilling = (order: OrderState): boolean =>
  mayBecomePaid(order) && (order.intent === 'fulfil' || order.settlementId !== null);

/** Whether a paid order waits for seats that were lost in a restore. */
export const isRestoring = ({ status, intent }: Pick<OrderState, 'status' | 'intent'>): boolean =>
  status === 'paid' && intent === 'restore';

/** Whether what a fulfilled order without a price has created is being cancelled. */
export const isRevoking = ({ status, intent }: Pick<OrderState, 'status' | 'intent'>): boolean =>
  status === 'paid' && intent === 'release';

/**
 * Whether the registrations of a cancelled order, which a restore has brought back, are cancelled.
 */
export const isRevokedAgain = ({
  status,
  intent,
}: Pick<OrderState, 'status' | 'intent'>): boolean =>
  status === 'cancelled' && intent === 'release';

export const isCancelling = ({ intent }: Pick<OrderState, 'intent'>): boolean =>
  intent === 'cancel' || intent === 'release';

/**
 * The status that reads return: a held order whose hold has expired is `expired`, even before that
 * is stored.
 */
export const effectiveStatus = (order: OrderState): OrderStatus =>
  order.status === 'held' &&
  order.holdExpired &&
  order.intent === null &&
  order.settlementId === null
    ? 'expired'
    : order.status;

export type ConfirmDecision =
  | { outcome: 'done' }
  | { outcome: 'fulfil' }
  | { outcome: 'pay' }
  | { outcome: 'closed' };

/**
 * Decides what a confirmation does. `paymentUrl` is the page that can be paid: without one, such as
 * after a payment of another amount, the order gets a new page.
 */
export function decideConfirm(order: OrderState & { paymentUrl: string | null }): ConfirmDecision {
  if (isFulfilling(order)) return { outcome: 'fulfil' };
  const status = effectiveStatus(order);
  if (status === 'paid') return { outcome: 'done' };
  if (closedStatuses.includes(status) || isCancelling(order)) return { outcome: 'closed' };
  if (status === 'awaiting_payment' && order.paymentUrl !== null) return { outcome: 'done' };
  return { outcome: order.totalAmount === 0 ? 'fulfil' : 'pay' };
}

export type CancelDecision =
  | { outcome: 'unchanged' }
  | { outcome: 'paid' }
  | { outcome: 'fulfil_first' }
  /**
   * The payment session is expired before the order is cancelled, because it may have been paid.
   */
  | { outcome: 'expire_payment' }
  | { outcome: 'release' }
  /** A free order is fulfilled: what it created is cancelled. */
  | { outcome: 'revoke' };

/**
 * Decides the next step of a cancellation. `paymentExpired`: in this attempt the provider was asked
 * to expire the payment session and has done so, or has not responded in time.
 */
export function decideCancel(
  order: OrderState,
  { paymentExpired }: { paymentExpired: boolean },
): CancelDecision {
  if (isFulfilling(order)) return { outcome: 'fulfil_first' };
  const status = effectiveStatus(order);
  if (closedStatuses.includes(status)) return { outcome: 'unchanged' };
  if (status === 'paid') return { outcome: order.totalAmount === 0 ? 'revoke' : 'paid' };
  const mayHaveSession = order.totalAmount > 0 && order.intent !== 'release';
  return { outcome: mayHaveSession && !paymentExpired ? 'expire_payment' : 'release' };
}

/**
 * Whether an order may have been cancelled because an attendee had registered elsewhere, or the
 * registration whose offer it had taken was cancelled. It is no later than at the end of its hold.
 */
export const mayBeUndeliverable = (order: OrderState): boolean =>
  !order.holdExpired && (order.status === 'cancelled' || isCancelling(order));

/** The final state of the reservation of an order, as registration returns it. */
export type ReservationOutcome = 'fulfilled' | 'released' | 'expired';

export type CloseDecision =
  | { outcome: 'unchanged' }
  | { outcome: 'become'; status: 'paid' | 'cancelled' | 'expired' }
  /** It ends unpaid, and is owed money that arrived in another amount or currency. */
  | { outcome: 'owe'; after: 'cancelled' | 'expired' }
  /**
   * The money is refunded: `late` if the order was cancelled, `unfulfillable` if its seats are no
   * longer available.
   */
  | { outcome: 'refund'; cause: 'late' | 'unfulfillable' };

/**
 * Decides the final status of an order from the state of its reservation. An order is paid whenever
 * its reservation is fulfilled. A paid-for order is closed only if its reservation was released,
 * which is final; an expired reservation may be acquired again. `refundsDue`: what it is owed now.
 */
export function decideClose(
  order: OrderState & { refundsDue: readonly unknown[] },
  reservation: ReservationOutcome,
): CloseDecision {
  if (!mayBecomePaid(order)) return { outcome: 'unchanged' };
  if (reservation === 'fulfilled') return { outcome: 'become', status: 'paid' };
  if (reservation === 'expired' && isFulfilling(order)) return { outcome: 'unchanged' };
  if (order.settlementId !== null)
    return { outcome: 'refund', cause: isCancelling(order) ? 'late' : 'unfulfillable' };
  if (order.status === 'expired') return { outcome: 'unchanged' };
  // Registration releases the reservation by itself when a registration with an offer is cancelled.
  const isReleased = reservation === 'released' && !order.holdExpired;
  const status = isCancelling(order) || isReleased ? 'cancelled' : 'expired';
  return order.refundsDue.length > 0
    ? { outcome: 'owe', after: status }
    : { outcome: 'become', status };
}
