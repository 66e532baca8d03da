import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { RefundState } from '@event-api/contracts/operator/refunds';

/**
 * `moving`: registration gives its seats their types. `executing`: its money is decided, and its seats
 * are not released yet.
 */
export type ChangeState = 'quoted' | 'awaiting_payment' | 'moving' | 'executing' | 'done';

type Transitions<State extends string> = Record<State, readonly State[]>;

const registrationTransitions: Transitions<RegistrationStatus> = {
  pending: ['confirmed', 'waitlisted', 'rejected', 'cancelled'],
  waitlisted: ['confirmed', 'cancelled'],
  confirmed: ['cancelled'],
  rejected: [],
  cancelled: [],
};

const orderTransitions: Transitions<OrderStatus> = {
  held: ['awaiting_payment', 'paid', 'cancelled', 'expired', 'refund_due'],
  awaiting_payment: ['paid', 'cancelled', 'expired', 'refund_due'],
  // A free order can be cancelled.
  paid: ['refunded', 'cancelled'],
  // Late payments.
  cancelled: ['refund_due'],
  expired: ['paid', 'refund_due'],
  // All attendees had registered elsewhere, and a refunded order handed over a registration.
  refund_due: ['paid', 'refunded'],
  refunded: [],
};

const refundTransitions: Transitions<RefundState> = {
  due: ['pending', 'withdrawn'],
  // When the provider rejects a refund, an owed refund becomes due again, and a refund by an
  // operator fails.
  pending: ['done', 'failed', 'due'],
  done: [],
  failed: [],
  withdrawn: [],
};

const changeTransitions: Transitions<ChangeState> = {
  quoted: ['awaiting_payment', 'moving', 'executing'],
  // It ends as it was quoted, if it is not paid, or if a type is refused.
  awaiting_payment: ['quoted', 'moving'],
  moving: ['quoted', 'executing', 'done'],
  executing: ['done'],
  done: [],
};

/** Whether `to` can be reached from `from` in any number of transitions, including none. */
function isReachable<State extends string>(
  transitions: Transitions<State>,
  from: State,
  to: State,
): boolean {
  const reached = [from];
  // The array grows during the loop.
  for (const state of reached) {
    reached.push(...transitions[state].filter((next) => !reached.includes(next)));
  }
  return reached.includes(to);
}

export const isAllowedRegistrationTransition = (
  from: RegistrationStatus,
  to: RegistrationStatus,
): boolean => isReachable(registrationTransitions, from, to);

/** A cancelled order has no seats that it could get from another order. */
export const isAllowedOrderTransition = (from: OrderStatus, to: OrderStatus): boolean =>
  isReachable(orderTransitions, from, to) && !(from === 'cancelled' && to === 'paid');

export const isAllowedRefundTransition = (from: RefundState, to: RefundState): boolean =>
  isReachable(refundTransitions, from, to);

export const isAllowedChangeTransition = (from: ChangeState, to: ChangeState): boolean =>
  isReachable(changeTransitions, from, to);
