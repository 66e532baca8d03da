import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { RefundState } from '@event-api/contracts/operator/refunds';

type Moves<State extends string> = Record<State, readonly State[]>;

const registrationMoves: Moves<RegistrationStatus> = {
  pending: ['confirmed', 'waitlisted', 'rejected', 'cancelled'],
  waitlisted: ['confirmed', 'cancelled'],
  confirmed: ['cancelled'],
  rejected: [],
  cancelled: [],
};

const orderMoves: Moves<OrderStatus> = {
  held: ['awaiting_payment', 'paid', 'cancelled', 'expired'],
  awaiting_payment: ['paid', 'cancelled', 'expired', 'refund_due'],
  paid: ['refunded'],
  // Money that comes late.
  cancelled: ['refund_due'],
  expired: ['paid', 'refund_due'],
  refund_due: ['refunded'],
  refunded: [],
};

const refundMoves: Moves<RefundState> = {
  due: ['pending'],
  // What is owed stays owed when the provider refuses; what an operator decided has failed.
  pending: ['done', 'failed', 'due'],
  done: [],
  failed: [],
};

/** Whether a record that was `from` may be `to` at some later time, by any number of moves; to stay is always legal. */
function isReachable<State extends string>(moves: Moves<State>, from: State, to: State): boolean {
  const reached = [from];
  // Grows while it is walked.
  for (const state of reached) {
    reached.push(...moves[state].filter((next) => !reached.includes(next)));
  }
  return reached.includes(to);
}

export const isAllowedRegistrationTransition = (
  from: RegistrationStatus,
  to: RegistrationStatus,
): boolean => isReachable(registrationMoves, from, to);

export const isAllowedOrderTransition = (from: OrderStatus, to: OrderStatus): boolean =>
  isReachable(orderMoves, from, to);

export const isAllowedRefundTransition = (from: RefundState, to: RefundState): boolean =>
  isReachable(refundMoves, from, to);
