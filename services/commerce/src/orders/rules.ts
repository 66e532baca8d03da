import type { OrderStatus } from '@event-api/contracts/http/orders';

/**
 * A change that has begun and is not finished. `fulfil`: registration creates what was ordered. `cancel`: the
 * payment session is being ended, and a payment withdraws the cancellation. `release`: the cancellation is decided,
 * and registration releases the claim.
 */
export const orderIntents = ['fulfil', 'cancel', 'release'] as const;

/** What decisions look at. `status` is as stored; whether a hold is over is the clock's to say. */
export interface OrderState {
  status: OrderStatus;
  intent: (typeof orderIntents)[number] | null;
  totalAmount: number;
  settlementId: string | null;
  holdIsOver: boolean;
}

export const closedStatuses: readonly OrderStatus[] = [
  'cancelled',
  'expired',
  'refunded',
  'refund_due',
];

/** A fulfilment has begun: nobody but registration can say any more whether it has happened. */
export const isFulfilling = ({ status, intent, settlementId }: OrderState): boolean =>
  (status === 'held' || status === 'awaiting_payment' || status === 'expired') &&
  (intent === 'fulfil' || settlementId !== null);

export const isCancelling = ({ intent }: Pick<OrderState, 'intent'>): boolean =>
  intent === 'cancel' || intent === 'release';

/** What reads say of an order: a hold that is over without more has expired, whether or not that is written yet. */
export const effectiveStatus = (order: OrderState): OrderStatus =>
  order.status === 'held' &&
  order.holdIsOver &&
  order.intent === null &&
  order.settlementId === null
    ? 'expired'
    : order.status;

export type ConfirmDecision =
  | { outcome: 'done' }
  | { outcome: 'fulfil' }
  | { outcome: 'pay' }
  | { outcome: 'closed' };

/** Source: docs/rules.md, "Orders". */
export function decideConfirm(order: OrderState): ConfirmDecision {
  if (isFulfilling(order)) return { outcome: 'fulfil' };
  const status = effectiveStatus(order);
  if (status === 'paid') return { outcome: 'done' };
  if (closedStatuses.includes(status) || isCancelling(order)) return { outcome: 'closed' };
  if (status === 'awaiting_payment') return { outcome: 'done' };
  return { outcome: order.totalAmount === 0 ? 'fulfil' : 'pay' };
}

export type CancelDecision =
  | { outcome: 'unchanged' }
  | { outcome: 'paid' }
  | { outcome: 'fulfil_first' }
  /** The payment session is ended before the order is cancelled: it may have been paid. */
  | { outcome: 'expire_payment' }
  | { outcome: 'release' };

/**
 * The next step of a cancellation. `paymentExpired` says that the provider was told to end the payment session in this
 * attempt, and either has done so or has not responded in time.
 * Source: docs/rules.md, "Orders".
 */
export function decideCancel(
  order: OrderState,
  { paymentExpired }: { paymentExpired: boolean },
): CancelDecision {
  if (isFulfilling(order)) return { outcome: 'fulfil_first' };
  const status = effectiveStatus(order);
  if (closedStatuses.includes(status)) return { outcome: 'unchanged' };
  if (status === 'paid') return { outcome: 'paid' };
  const mayHaveSession = order.totalAmount > 0 && order.intent !== 'release';
  return { outcome: mayHaveSession && !paymentExpired ? 'expire_payment' : 'release' };
}

/** What registration has answered of the order's claim, whatever it was asked. */
export type ReservationOutcome = 'fulfilled' | 'released' | 'expired';

export type CloseDecision =
  | { outcome: 'unchanged' }
  | { outcome: 'become'; status: 'paid' | 'cancelled' | 'expired' }
  /** Money was taken, and there is nothing to give for it: `late` where the order was given up, else `gone`. */
  | { outcome: 'refund'; cause: 'late' | 'gone' };

/**
 * What becomes of an order once registration has answered. The claim is the truth about seats: an
 * order is paid whenever its claim is fulfilled. It is closed without its money only when its claim was
 * released, which is for good; one that has merely run out may be taken again.
 */
export function decideClose(order: OrderState, reservation: ReservationOutcome): CloseDecision {
  if (!['held', 'awaiting_payment', 'expired'].includes(order.status))
    return { outcome: 'unchanged' };
  if (reservation === 'fulfilled') return { outcome: 'become', status: 'paid' };
  if (reservation === 'expired' && isFulfilling(order)) return { outcome: 'unchanged' };
  if (order.settlementId !== null)
    return { outcome: 'refund', cause: isCancelling(order) ? 'late' : 'gone' };
  if (order.status === 'expired') return { outcome: 'unchanged' };
  return { outcome: 'become', status: isCancelling(order) ? 'cancelled' : 'expired' };
}
