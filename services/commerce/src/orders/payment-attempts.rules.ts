import type { PaymentAttemptStatus } from '@event-api/contracts/http/orders';

/** The states of a payment: one attempt with a session at the provider. */
export const paymentStates = [
  'creating',
  'open',
  'expiring',
  'expired',
  'paid',
  /** Another amount or currency arrived, which is owed. */
  'mismatch',
  'refused',
] as const;

/** A payment of an order, or a card that the provider declined in its session. */
export type AttemptState = (typeof paymentStates)[number] | 'declined';

/**
 * The status of an attempt to pay an order, as the API returns it. `isOrderOpen`: the order shows
 * `held` or `awaiting_payment`. The page of a closed order can no longer be paid, even before that
 * is stored.
 */
export function attemptStatus(state: AttemptState, isOrderOpen: boolean): PaymentAttemptStatus {
  switch (state) {
    case 'creating':
    case 'open':
      return isOrderOpen ? 'open' : 'expired';
    case 'expiring':
    case 'expired':
      return 'expired';
    case 'paid':
      return 'succeeded';
    case 'mismatch':
      return 'mismatch';
    case 'refused':
    case 'declined':
      return 'declined';
  }
}
